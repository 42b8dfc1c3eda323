/** A way to a server that can be closed: bytes then stay where they are, as when the network drops packets. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  readonly port: number;
  /** From now on nothing passes, in both directions, also of new connections. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function startTcpGate(to: number): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
      from.on('data', (bytes) => {
        if (!into.write(bytes)) from.pause();
      });
      into.on('drain', () => {
        if (!isShut) from.resume();
      });
      if (isShut) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isShut = true;
      for (const socket of sockets) socket.pause();
    },
    open() {
      isShut = false;
      for (const socket of sockets) socket.resume();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
