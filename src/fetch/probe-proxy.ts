import { connect } from 'node:net';
import { EnvironmentError } from '../core/errors.ts';
import type { Ms } from '../core/types.ts';
import { proxyUrlOf } from './proxy-route.ts';

const PROXY_PROBE: Ms = 5000;

/**
 * Fail before the first request when nothing listens where the proxy should be; does nothing when there is none. No message quotes its password.
 * @param remedy what to do when it does not answer
 * @throws UsageError when it is no http(s) URL; EnvironmentError when it does not answer.
 */
export async function probeProxy(proxy: string | null | undefined, remedy = 'start it, or leave --proxy out'): Promise<void> {
  if (!proxy) return;
  const url = proxyUrlOf(proxy);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, timeout: PROXY_PROBE });
    const fail = (why: string) => {
      socket.destroy();
      reject(new EnvironmentError(`--proxy ${url.origin}: does not answer (${why}); ${remedy}`));
    };
    socket.once('connect', () => {
      socket.end();
      resolve();
    });
    socket.once('timeout', () => fail(`no connection within ${PROXY_PROBE / 1000} s`));
    // Several addresses tried in vain come as an AggregateError without a message of its own.
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.message || (error.code ?? 'refused')));
  });
}
