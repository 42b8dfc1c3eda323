/** A DNS server on 127.0.0.1 that misbehaves on purpose, by name (RFC 1035). Over UDP, and over TCP where an answer is too long for it. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type Socket } from 'node:net';

/** What a name has: addresses, another name, or a way to fail. */
export type NameRecord =
  | { readonly addresses: readonly string[]; readonly ttl?: number }
  | { readonly alias: string }
  | 'not-found'
  | 'server-failure'
  | 'silent';

export interface NameServer {
  /** `127.0.0.1:port`, as `setServers` takes it. */
  readonly address: string;
  /** Names asked for, with the type: `a.example A`. */
  readonly log: string[];
  /** To be changed while it runs. */
  readonly names: Map<string, NameRecord>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 5: 'CNAME', 28: 'AAAA' };
const OK = 0;
const SERVER_FAILURE = 2;
const NOT_FOUND = 3;
/** Without EDNS a UDP message has at most 512 bytes (RFC 1035 §4.2.1). */
const MAX_UDP = 512;
/** Links of a circle of aliases that one answer shows. */
const CIRCLE = 8;

interface Question {
  readonly name: string;
  readonly type: number;
  /** Position behind the question. */
  readonly end: number;
}

function questionOf(message: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function nameBytes(name: string): Buffer {
  return Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function record(name: string, type: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.byteLength, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

function reply(query: Buffer, end: number, code: number, records: readonly Buffer[], truncated = false): Buffer {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code | (truncated ? 0x0200 : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, query.subarray(12, end), ...records]);
}

/** The chain of aliases from `name`, and the addresses at its end. */
function recordsOf(names: ReadonlyMap<string, NameRecord>, name: string, type: number): Buffer[] {
  const out: Buffer[] = [];
  for (let at = name; out.length < CIRCLE; ) {
    const known = names.get(at);
    if (known === undefined || typeof known === 'string') return out;
    if ('alias' in known) {
      out.push(record(at, 5, 60, nameBytes(known.alias)));
      at = known.alias;
      continue;
    }
    const family = type === 28 ? 6 : 4;
    const owner = at;
    return [
      ...out,
      ...known.addresses.filter((ip) => isIP(ip) === family).map((ip) => record(owner, type, known.ttl ?? 300, addressBytes(ip))),
    ];
  }
  return out;
}

/** Start it on a free port. Names it does not know are not there. */
export async function startNameServer(known: Readonly<Record<string, NameRecord>>): Promise<NameServer> {
  const names = new Map(Object.entries(known));
  const log: string[] = [];
  const answer = (query: Buffer, isUdp: boolean): Buffer | null => {
    const { name, type, end } = questionOf(query);
    const found = names.get(name) ?? 'not-found';
    if (isUdp) log.push(`${name} ${TYPES[type] ?? type}`);
    if (found === 'silent') return null;
    if (typeof found === 'string') return reply(query, end, found === 'not-found' ? NOT_FOUND : SERVER_FAILURE, []);
    const whole = reply(query, end, OK, recordsOf(names, name, type));
    return isUdp && whole.byteLength > MAX_UDP ? reply(query, end, OK, [], true) : whole;
  };
  const tcp = createServer((socket) => serveTcp(socket, (query) => answer(query, false)));
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', (query, from) => {
    const message = answer(query, true);
    if (message) udp.send(message, from.port, from.address);
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  const close = async () => {
    udp.close();
    tcp.close();
    await once(tcp, 'close');
  };
  return { address: `127.0.0.1:${port}`, log, names, close };
}

/** Messages over TCP have their length in front (RFC 1035 §4.2.2). */
function serveTcp(socket: Socket, answer: (query: Buffer) => Buffer | null): void {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    pending = Buffer.concat([pending, data]);
    while (pending.byteLength >= 2 && pending.byteLength >= 2 + pending.readUInt16BE(0)) {
      const size = pending.readUInt16BE(0);
      const message = answer(pending.subarray(2, 2 + size));
      pending = pending.subarray(2 + size);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message?.byteLength ?? 0);
      if (message) socket.write(Buffer.concat([length, message]));
    }
  });
}
