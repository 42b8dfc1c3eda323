/** Tells a program that a large frontier of an earlier version is converted: that takes some seconds, and lets no timer run. */
import type { Bytes } from '../core/types.ts';
import { commandOn } from './forager-command.ts';
import { megabytesText } from './number-text.ts';

/** A database of this size is converted in a second or two. */
const LARGE: Bytes = 8_000_000;

let listener: (line: string) => void = () => undefined;

/** Sets the function of this program that receives the line. */
export function onConversion(tell: (line: string) => void): void {
  listener = tell;
}

/**
 * @param dir of the crawl
 * @param size of its database
 * @param use `read`: a copy is converted, each time
 */
export function noteConversion(dir: string, size: Bytes, use: 'read' | 'write'): void {
  if (size < LARGE) return;
  const how =
    use === 'write' ? 'is converted now' : `is read by means of a converted copy; to convert it once: ${commandOn('compact', dir)}`;
  listener(`${dir}: is of an earlier version; its frontier of ${megabytesText(size)} ${how}`);
}
