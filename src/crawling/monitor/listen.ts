/** Address on which a server of a crawl listens. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../base/core/errors.ts';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';

/**
 * `PORT` on loopback, or `HOST:PORT`; an IPv6 address in brackets.
 * @param option for the message, with a port that one may write
 * @throws UsageError
 */
export function listenAddress(option: string, text: string, example: number): ListenAddress {
  const [, host, port] = /^(?:(\[[0-9A-Fa-f:.]+\]|[\w.-]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`${option} ${text}: not a port; write e.g. ${example} (on loopback), or 0.0.0.0:${example}`);
  return { host: host?.replace(/^\[|\]$/g, '') ?? LOOPBACK, port: Number(port) };
}

/** Rejects if it cannot listen. A failed connection later ends nothing. */
export function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** Origin of a server that listens: `http://host:port`. */
export function serverOrigin(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
