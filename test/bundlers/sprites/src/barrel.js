export { default as anchor } from 'icon:anchor?sprite';
