/** What the tables and lists of a screen say. */
import { parseHTML } from 'linkedom';
import { percentText } from '../../../src/base/text/number-text.ts';

export type Screen = ReturnType<typeof parseHTML>['document'];

/** A part of a screen, as a document. */
export function parsed(part: { toString(): string }): Screen {
  return parseHTML(`<main>${part}</main>`).document;
}

/** The text of a part of a screen. */
export function plain(part: { toString(): string }): string {
  return parsed(part).querySelector('main')?.textContent ?? '';
}

/** The text of each cell of each row. @param caption begins so; '' for the first table */
export function cellsOf(screen: Screen, caption = ''): string[][] {
  const table = [...screen.querySelectorAll('table')].find((one) => one.querySelector('caption')?.textContent?.startsWith(caption));
  return [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? ''),
  );
}

/** Names and values of the definition lists below an element. */
export function factsOf(screen: Screen, selector: string): Record<string, string> {
  return Object.fromEntries(
    [...screen.querySelectorAll(`${selector} dl div`)].map((one) => [
      one.querySelector('dt')?.textContent ?? '',
      one.querySelector('dd')?.textContent?.trim() ?? '',
    ]),
  );
}

/** All screens of a list, from the first to the last by its link to more. */
export async function allCells(screenAt: (path: string) => Promise<Screen>, path: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const screen: Screen = await screenAt(next);
    rows.push(...cellsOf(screen));
    next = screen.querySelector('a[rel="next"]')?.getAttribute('href') ?? null;
  }
  return rows;
}

/** With thousands apart, as the page writes counts. */
export function counted(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

/** As the page writes a share. */
export function percent(share: number): string {
  return percentText(share);
}
