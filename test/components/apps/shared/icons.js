export { default as Home } from 'icon:home';
export { default as Glow } from 'icon:glow?component';
export { default as Start } from 'icon:home?color=f00&size=40&title=Start&class=usual';
