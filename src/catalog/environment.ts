export type Environment = Readonly<Record<string, string | undefined>>;

/** Proxies as the environment names them; empty where it names none. Lower case wins, as with curl. */
export function proxiesOf(env: Environment): {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
} {
  return {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
}

export function namesProxy(env: Environment): boolean {
  const { httpProxy, httpsProxy } = proxiesOf(env);
  return httpProxy !== '' || httpsProxy !== '';
}
