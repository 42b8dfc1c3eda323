/** A server with a bounded number of connections: a flood of them shuts nobody out, and takes no descriptors from the crawl. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Ms } from '../../base/core/types.ts';

/** Each stream and each connection that a browser keeps is one: a person has a few tabs. */
const MOST = 256;
/** Browsers and monitors send a header at once. */
const HEADER_TIME: Ms = 5000;
/** Limit for the whole request; answers take as long as they need. */
const REQUEST_TIME: Ms = 30_000;
/** Time between Node's looks for requests that are late: by default half a minute. */
const LOOK_EVERY: Ms = 1000;

/**
 * Makes a server with a limit on connections. A full server closes the oldest connection that waits for a request, which makes room for a
 * new one.
 */
export function boundedServer(answer: RequestListener): Server {
  const times = { headersTimeout: HEADER_TIME, requestTimeout: REQUEST_TIME, connectionsCheckingInterval: LOOK_EVERY };
  const [open, idle] = [new Set<Socket>(), new Set<Socket>()];
  const server = createServer(times, (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
    answer(request, response);
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    if (open.size > MOST) oldest(idle)?.destroy();
  });
  return server;
}

function oldest(sockets: ReadonlySet<Socket>): Socket | undefined {
  const [first] = sockets;
  return first;
}
