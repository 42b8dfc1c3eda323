import { connect } from 'node:net';
import { EnvironmentError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { proxyUrlOf } from './proxy-route.ts';

const PROXY_PROBE: Ms = 5000;

/**
 * Fails before the first request if nothing listens at the proxy's address; does nothing without a proxy. No message quotes its password.
 * @param remedy the next step if it does not answer
 * @throws UsageError if it is not an http(s) URL; EnvironmentError if it does not answer.
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
    // If several addresses failed, the error is an AggregateError without a message of its own.
    socket.once('error', (error: NodeJS.ErrnoException) => fail(error.message || (error.code ?? 'refused')));
  });
}
