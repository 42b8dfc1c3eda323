import { printable, printableJson } from '../../base/text/printable.ts';
import { reportLines } from './report-lines.ts';
import { endWorking } from './working.ts';

export { given, type NetworkOptions, networkOf } from '../../crawling/settings/network.ts';

/** A JSON line in printable form. */
export function printableJsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** One JSON line on standard output. */
export function printJson(value: unknown): void {
  endWorking();
  process.stdout.write(`${printableJsonLine(value)}\n`);
}

export function print(line: string): void {
  endWorking();
  process.stdout.write(`${fitted(line, process.stdout)}\n`);
}

/** Prints text of a page: unchanged, except on a terminal. */
export function printContent(content: string): void {
  endWorking();
  process.stdout.write(process.stdout.isTTY === true ? content.split('\f').map(printable).join('\f') : content);
}

/** Prints a line for people during the work. */
export function warn(line: string): void {
  endWorking();
  process.stderr.write(`${fitted(`forager: ${line}`, process.stderr)}\n`);
}

/** Breaks a line at words if it goes to a terminal. */
function fitted(line: string, { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): string {
  return isTTY === true && columns > 0 ? reportLines(printable(line), columns).join('\n') : printable(line);
}
