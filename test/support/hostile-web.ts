/** A web server on 127.0.0.1 that misbehaves on purpose, one fault a path. Raw sockets, since HTTP servers refuse to be this wrong. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FAULTS, HTML, respond } from './hostile-faults.ts';

export { FAULT_PATHS, SAMPLE_HTML } from './hostile-faults.ts';

export interface RequestLog {
  readonly method: string;
  /** Request target as on the request line. */
  readonly target: string;
  /** Names and values in order, as sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
}

export interface HostileWeb {
  readonly origin: string;
  /** An origin that resets every connection as soon as it is made. */
  readonly resetOrigin: string;
  readonly log: RequestLog[];
  /** Bytes written so far, over all connections. */
  sent(): number;
  close(): Promise<void>;
}

/** Ordinary answers, by path. */
export type HostileFiles = Readonly<
  Record<string, { readonly type: string; readonly body: string | Uint8Array /** As `Content-Encoding`. */; readonly coding?: string }>
>;

function parseRequest(text: string, connection: number): RequestLog {
  const [requestLine = '', ...fields] = text.split('\r\n');
  const [method = '', target = ''] = requestLine.split(' ');
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  });
  return { method, target, headers, connection };
}

/** Read requests without bodies off a socket, one after the other. */
function serve(socket: Socket, connection: number, log: RequestLog[], files: HostileFiles): void {
  let pending = '';
  let turn = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    pending += data.toString('latin1');
    for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
      const request = parseRequest(pending.slice(0, end), connection);
      pending = pending.slice(end + 4);
      turn += 1;
      log.push(request);
      const url = new URL(request.target, 'http://hostile');
      const file = files[url.pathname];
      const fault = FAULTS[url.pathname];
      if (file)
        respond(socket, '200 OK', { 'Content-Type': file.type, ...(file.coding && { 'Content-Encoding': file.coding }) }, file.body);
      else if (fault) fault({ socket, url, turn });
      else respond(socket, '404 Not Found', { 'Content-Type': HTML }, '<p>not here</p>');
    }
  });
}

async function listen(onSocket: (socket: Socket) => void): Promise<Pick<HostileWeb, 'origin' | 'sent' | 'close'>> {
  const open = new Set<Socket>();
  let sentBefore = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        sentBefore += socket.bytesWritten;
        open.delete(socket);
      });
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
  const sent = () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sentBefore);
  return { origin: `http://127.0.0.1:${port}`, sent, close };
}

/** Start the hostile web on free ports, with some well-behaved `files` of your own beside the faults. */
export async function startHostileWeb(files: HostileFiles = {}): Promise<HostileWeb> {
  const log: RequestLog[] = [];
  let connections = 0;
  const web = await listen((socket) => {
    connections += 1;
    serve(socket, connections, log, files);
  });
  const resetting = await listen((socket) => socket.resetAndDestroy());
  const close = async () => {
    await Promise.all([web.close(), resetting.close()]);
  };
  return { origin: web.origin, resetOrigin: resetting.origin, log, sent: web.sent, close };
}
