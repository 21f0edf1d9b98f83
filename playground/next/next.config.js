/** A site of files, as any host serves it. */
export default { output: 'export' };
