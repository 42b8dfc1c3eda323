/** A line or clause as a sentence: `12 URLs wait` becomes `12 URLs wait.`, `no URL waits` becomes `No URL waits.` */
export function sentence(line: string): string {
  return `${line.slice(0, 1).toUpperCase()}${line.slice(1)}.`;
}
