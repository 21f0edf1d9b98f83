export { default as castle, credit as castleCredit } from 'icon:castle?color=607d8b';
export { default as wolf } from 'icon:wolf?size=24px';
