import { BlockList, isIP, type LookupFunction } from 'node:net';
import { addressesOf, giveAddresses } from './dns-cache.ts';

/**
 * IPv4 blocks that are not on the public internet: the IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), with all of multicast
 * (RFC 5771) and class E.
 */
const IPV4_BLOCKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * IPv6 blocks of the same kind (IANA IPv6 Special-Purpose Address Registry). `::/96` covers loopback, unspecified and the IPv4-compatible addresses;
 * `2001::/23` covers Teredo; `64:ff9b:1::/48` is local-use NAT64 (RFC 8215).
 */
const IPV6_BLOCKS = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const PRIVATE_V4 = blockList(IPV4_BLOCKS, 'ipv4');
const PRIVATE_V6 = blockList(IPV6_BLOCKS, 'ipv6');

/** The eight 16-bit groups of a valid IPv6 address. */
function groupsOf(ip: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(ip);
  const hex = dotted
    ? `${ip.slice(0, dotted.index)}${(Number(dotted[1]) * 256 + Number(dotted[2])).toString(16)}:${(Number(dotted[3]) * 256 + Number(dotted[4])).toString(16)}`
    : ip;
  const [head = '', tail] = hex.split('::');
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const left = parse(head);
  const right = tail === undefined ? [] : parse(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The IPv4 address inside an IPv6 transition address, or null: mapped (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056). */
function embeddedIpv4(ip: string): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groupsOf(ip);
  const quad = (high: number, low: number) => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  if (a === 0x2002) return quad(b, c);
  if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff) return quad(g, h);
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return quad(g, h);
  return null;
}

/** True for every address outside the public internet, and for text that is not an address. */
export function addressIsPrivate(ip: string): boolean {
  const address = ip.split('%', 1)[0] ?? '';
  const family = isIP(address);
  if (family === 4) return PRIVATE_V4.check(address, 'ipv4');
  if (family === 0) return true;
  const inner = embeddedIpv4(address);
  return inner === null ? PRIVATE_V6.check(address, 'ipv6') : PRIVATE_V4.check(inner, 'ipv4');
}

/**
 * True if a host name alone shows that it is private: an address literal, or a name under `localhost` (RFC 6761 §6.3).
 * @param hostname as WHATWG URL returns it: number forms are dotted quads, IPv6 is in brackets
 */
export function hostnameIsPrivate(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.startsWith('[')) return addressIsPrivate(name.slice(1, -1));
  const last = name.charCodeAt(name.length - 1);
  if (last >= 48 && last <= 57 && isIP(name) === 4) return addressIsPrivate(name);
  return name === 'localhost' || name.endsWith('.localhost');
}

const LOOPBACK_V4 = blockList(['127.0.0.0/8'], 'ipv4');

/** Is it an address of this machine? */
export function addressIsLoopback(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return LOOPBACK_V4.check(ip, 'ipv4');
  if (family === 0) return false;
  const inner = embeddedIpv4(ip);
  return inner === null ? groupsOf(ip).every((group, i) => group === (i < 7 ? 0 : 1)) : LOOPBACK_V4.check(inner, 'ipv4');
}

/** Does a host name alone show that it is this machine? @param hostname as for `hostnameIsPrivate` */
export function hostnameIsLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || addressIsLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** A connection would have left the public internet. */
export class PrivateAddressError extends Error {
  constructor(hostname: string, address: string) {
    super(`${hostname} leads to the private address ${address}`);
    this.name = 'PrivateAddressError';
  }
}

/**
 * A lookup that fails with `PrivateAddressError` if any answer of `lookup` is private: a host that mixes public and private answers is refused as a
 * whole, whichever address the connection would have tried first.
 */
export function guardedLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answers) => {
      if (error) return callback(error, []);
      const addresses = addressesOf(answers);
      const bad = addresses.find(({ address }) => addressIsPrivate(address));
      if (bad) callback(new PrivateAddressError(hostname, bad.address), []);
      else giveAddresses(hostname, options.all === true, addresses, callback);
    });
  };
}
