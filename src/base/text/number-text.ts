/** Numbers in words of a report, the same on the command line, on the page and on cards. */
import type { Bytes } from '../core/types.ts';

/** Made when the first number is written: it takes 12 ms, and every start loads this module. */
let format: Intl.NumberFormat | null = null;

/** A number with its thousands apart: `1,234`. */
export function countText(number: number): string {
  format ??= new Intl.NumberFormat('en-US');
  return format.format(number);
}

/** `1 page`, `1,234 pages`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${countText(number)} ${number === 1 ? one : many}`;
}

/** A share in percent, with one decimal: `37.5 %`. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A size in megabytes: `1,234 MB`. */
export function megabytesText(bytes: Bytes): string {
  return `${countText(Math.round(bytes / 1_000_000))} MB`;
}
