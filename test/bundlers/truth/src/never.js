import bell from 'icon:bell';

export default () => bell;
