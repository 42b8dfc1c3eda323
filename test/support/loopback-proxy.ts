/** An HTTP proxy on 127.0.0.1 that writes down what it is asked and sends every request to one upstream, whatever host was named. */
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyLog {
  readonly method: string;
  readonly target: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
}

export interface LoopbackProxy {
  readonly address: string;
  readonly log: ProxyLog[];
  /** Connections open at the same time, at most. */
  readonly peak: () => number;
  close(): Promise<void>;
}

export interface ProxyUpstreams {
  /** Port that plain requests go to. */
  readonly http: number;
  /** Port that tunnels lead to, or the status that CONNECT is answered with, or 'silent' for no answer at all. */
  readonly connect: number | { readonly status: number } | 'silent';
  /** Answer plain requests with this status instead of asking upstream. */
  readonly status?: number;
}

/** Start the proxy on a free port. */
export async function startLoopbackProxy(upstreams: ProxyUpstreams): Promise<LoopbackProxy> {
  const log: ProxyLog[] = [];
  const open = new Set<Socket>();
  let peak = 0;
  const server = createServer((request, response) => {
    const { method = '', url: target = '', headers } = request;
    log.push({ method, target, host: headers.host, authorization: headers['proxy-authorization'] });
    if (upstreams.status !== undefined) {
      response.writeHead(upstreams.status).end();
      return;
    }
    const { pathname, search } = new URL(target);
    const onward = forward({ port: upstreams.http, host: '127.0.0.1', path: pathname + search, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy()).end();
  });
  server.on('connection', (socket) => {
    open.add(socket);
    peak = Math.max(peak, open.size);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  server.on('connect', (request, client) => {
    const { method = '', url: target = '', headers } = request;
    log.push({ method, target, host: headers.host, authorization: headers['proxy-authorization'] });
    const { connect: far } = upstreams;
    if (typeof far === 'object') client.end(`HTTP/1.1 ${far.status} No\r\nContent-Length: 0\r\n\r\n`);
    if (typeof far !== 'number') return;
    const onward = connect(far, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    onward.on('error', () => client.destroy());
    client.on('error', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log, peak: () => peak, close };
}
