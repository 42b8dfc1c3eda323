import { afterEach, expect, test } from 'vitest';
import { noteConversion, onConversion } from '../../../src/base/text/conversion-notice.ts';

afterEach(() => onConversion(() => undefined));

test('a large frontier is named before it is converted, with the command that ends the copies; a small one takes no time', () => {
  const lines: string[] = [];
  onConversion((line) => lines.push(line));
  noteConversion('crawls/moss', 7_900_000, 'write');
  noteConversion('crawls/moss', 120_000_000, 'write');
  noteConversion('crawls/moss', 1_230_000_000, 'read');
  expect(lines).toEqual([
    'crawls/moss: is of an earlier version; its frontier of 120 MB is converted now',
    'crawls/moss: is of an earlier version; its frontier of 1,230 MB is read by means of a converted copy; to convert it once: npx forager compact crawls/moss',
  ]);
});
