import anchor from 'icon:game-icons/anchor?size=2em';

export const draw = () => anchor;
