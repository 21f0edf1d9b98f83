/** Forms that are no components: recognised where they end the specifier. */

declare module 'icon:*as=svg' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*as=url' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*as=data' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*as=sprite' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*?raw' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*&raw' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*?url' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*&url' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*?inline' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*&inline' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*?sprite' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*&sprite' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}

declare module 'icon:*filetype=png' {
  const content: string;
  export default content;
  export const credit: import('unplugin-icon-catalog/client').Credit;
  export const icon: import('unplugin-icon-catalog/client').IconInfo;
}
