/** A way to a server that can be closed, so that bytes stay where they are, as when the network drops packets; or that breaks connections at some words. */
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  readonly port: number;
  /** The words at which no connection was broken yet. */
  readonly left: readonly string[];
  /** From now on nothing passes, in both directions, also of new connections. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** @param breaksAt a connection is broken when its client sends one of these words, once for each */
export async function startTcpGate(to: number, breaksAt: readonly string[] = []): Promise<TcpGate> {
  const left = [...breaksAt];
  const breaks = (bytes: Buffer): boolean => {
    const word = left.findIndex((some) => bytes.includes(some));
    if (word >= 0) left.splice(word, 1);
    return word >= 0;
  };
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
        if (from === near && breaks(bytes)) near.destroy();
        else if (!into.write(bytes)) from.pause();
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
    left,
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
