/** Listeners on loopback that note every packet: TCP and UDP, on three addresses, at one port. A page that a browser renders must reach none. */
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface Canaries {
  readonly port: number;
  /** One line a connection or UDP packet: protocol, address, and the start of the first line. */
  readonly hits: readonly string[];
  close(): Promise<void>;
}

const ADDRESSES = ['127.0.0.1', '127.0.0.2', '::1'] as const;
/** A page that asks is answered, so that it tries all it can. */
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\nAccess-Control-Allow-Origin: *\r\n\r\nok';

/** Start them on a port that is free on all addresses. */
export async function startCanaries(): Promise<Canaries> {
  const hits: string[] = [];
  const servers: Server[] = [];
  const sockets: UdpSocket[] = [];
  let port = 0;
  for (const address of ADDRESSES) {
    servers.push(await listening(address, port, hits));
    port ||= portOf(servers[0]);
    sockets.push(await bound(address, port, hits));
  }
  const close = async () => {
    for (const server of servers) server.close();
    for (const socket of sockets) socket.close();
  };
  return { port, hits, close };
}

function portOf(server: Server | undefined): number {
  return (server?.address() as AddressInfo | undefined)?.port ?? 0;
}

async function listening(address: string, port: number, hits: string[]): Promise<Server> {
  const server = createServer((socket) => note(socket, address, hits));
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}

function note(socket: Socket, address: string, hits: string[]): void {
  const place = hits.push(`tcp ${address}`) - 1;
  socket.on('error', () => socket.destroy());
  socket.once('data', (data) => {
    hits[place] = `tcp ${address} ${data.toString('latin1').split('\r\n', 1)[0]?.slice(0, 60)}`;
    socket.end(ANSWER);
  });
}

async function bound(address: string, port: number, hits: string[]): Promise<UdpSocket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (message) => hits.push(`udp ${address} ${message.length} bytes`));
  socket.bind(port, address);
  await once(socket, 'listening');
  return socket;
}
