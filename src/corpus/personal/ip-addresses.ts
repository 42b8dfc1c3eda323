import { BlockList, isIPv6 } from 'node:net';
import { lineBefore } from './number-context.ts';
import type { TextRange } from './text-range.ts';

const V4 =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_.+~-])\d{1,3}(?:\.\d{1,3}){3}(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_~+-]|\.[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}])/gu;
/** Global unicast addresses begin with 2 or 3 (RFC 4291 §2.4). */
const V6 =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_:.])[23][0-9A-Fa-f]{3}:[0-9A-Fa-f:]{3,41}(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_])/gu;

/** Addresses that are nobody's: IANA, IPv4 and IPv6 Special-Purpose Address Registries; multicast (RFC 5771) and reserved (RFC 1112 §4). */
const SPECIAL = new BlockList();
for (const net of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]) {
  const [base = '', bits] = net.split('/');
  SPECIAL.addSubnet(base, Number(bits), 'ipv4');
}
SPECIAL.addSubnet('2001:db8::', 32, 'ipv6');
SPECIAL.addSubnet('2001::', 23, 'ipv6');
SPECIAL.addSubnet('3fff::', 20, 'ipv6');

/** Words before an address. */
const ADDRESS = /(?:\bIP(?:v4|s)?|\baddr(?:ess(?:e|es)?)?|\bhost|\bDNS|\bping|\bgateway|\bnameserver|地址|адрес)(?:\sis)?[\s:=(,]{0,4}$/iu;
/** Words before the number of a version, in the same line. */
const VERSION =
  /(?:\bversions?\b|\bver\b|\bv\.?$|\breleased?s?\b|\bupstream\b|\bupgrad|\bupdat|\bkernel|\brevision\b|\bfirmware|\bdriver|\bbuild\b|\bsince\b|\bbump|\bbackport|\bimport(?:ed)?\b|\bsections?\b|\bchapter|\bsnapshot|\bOID|\bpackage|§|[<>=]=|[(<>=]\s?$|版本)/iu;
/** Octets of an address without such a word: parts of versions are rarely so large. */
const LARGE_OCTET = 64;

/** IPv4 and IPv6 addresses of the public Internet. Four numbers with dots are a version unless they are too large or a word before them says otherwise. */
export function* ipAddresses(text: string): Generator<TextRange> {
  for (const { index, 0: written } of text.matchAll(V4)) if (isAddress(text, index, written)) yield [index, index + written.length];
  for (const { index, 0: matched } of text.matchAll(V6)) {
    const written = matched.replace(/(?<!:):$/, '');
    if (isIPv6(written) && !SPECIAL.check(written, 'ipv6')) yield [index, index + written.length];
  }
}

function isAddress(text: string, at: number, written: string): boolean {
  const octets = written.split('.').map(Number);
  if (octets.some((octet) => octet > 255) || /(?:^|\.)0\d/.test(written) || SPECIAL.check(written, 'ipv4')) return false;
  const before = lineBefore(text, at, 80);
  if (before.endsWith('//') || ADDRESS.test(before)) return true;
  return !VERSION.test(before) && octets.filter((octet) => octet >= LARGE_OCTET).length >= 2;
}
