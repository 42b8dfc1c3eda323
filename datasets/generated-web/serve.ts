import type { PageSource } from '../page-source.ts';
import { type RunningWeb, startWebProxy, type WebProxyOptions } from '../web-proxy.ts';
import type { GeneratedWeb } from './web.ts';

export interface RunningGeneratedWeb extends RunningWeb {
  /** The web with the host names it is served under: the one to take seeds and labels from. */
  readonly web: GeneratedWeb;
}

/**
 * Serve a generated web: through a proxy by its names, or with `direct` at loopback addresses, for a crawler without proxy.
 * The direct mode needs a system where all of 127.0.0.0/8 is loopback, as on Linux. @throws EnvironmentError when the port is taken.
 */
export async function startGeneratedWeb(web: GeneratedWeb, options: WebProxyOptions = {}): Promise<RunningGeneratedWeb> {
  if (options.direct !== true) return withWeb(await startWebProxy(web.source, options), web);
  // Links carry the port, which is known once the server listens; until then it knows no host.
  let source: PageSource = { get: () => null };
  const server = await startWebProxy({ get: (host, path) => source.get(host, path) }, options);
  const local = web.onLoopback(server.port);
  source = local.source;
  return withWeb(server, local);
}

function withWeb(server: RunningWeb, web: GeneratedWeb): RunningGeneratedWeb {
  return { web, proxy: server.proxy, port: server.port, log: server.log, close: () => server.close() };
}
