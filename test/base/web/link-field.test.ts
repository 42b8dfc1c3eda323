import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linksInField } from '../../../src/base/web/link-field.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const read = (field: string) => linksInField(field).map(({ href, parameters }) => [href, Object.fromEntries(parameters)]);

test.each([
  ['</a>; rel="next"', [['/a', { rel: 'next' }]]],
  [
    '</a>;rel=next,</b>; REL = "prev license"',
    [
      ['/a', { rel: 'next' }],
      ['/b', { rel: 'prev license' }],
    ],
  ],
  [
    '<http://h.example/a,b;c>; title="x, y; rel=no"; rel=canonical',
    [['http://h.example/a,b;c', { title: 'x, y; rel=no', rel: 'canonical' }]],
  ],
  ['</a>; title="a \\"quoted\\" word"; rel=x; rel=y', [['/a', { title: 'a "quoted" word', rel: 'x' }]]],
  ['</a>; crossorigin; rel=preload', [['/a', { crossorigin: '', rel: 'preload' }]]],
  ['</a>; rel=author; anchor="#of-another", </b>; rel=up', [['/b', { rel: 'up' }]]],
  [' , ,</a>;rel="next" , ', [['/a', { rel: 'next' }]]],
  ['no target; rel=next, </b>; rel=next', [['/b', { rel: 'next' }]]],
  ['</a>; rel="next', [['/a', { rel: 'next' }]]],
  ['</a', []],
  ['', []],
])('%s', (field, links) => expect(read(field)).toEqual(links));

test('any field ends soon, and gives no more links than it has targets', () => {
  const piece = fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', ' ', 'rel', 'a', '</x>', '; rel=next');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const field = pieces.join('');
      expect(linksInField(field).length).toBeLessThan(field.split('<').length);
    }),
  );
  const long = `</a>; title="${'\\"'.repeat(100_000)}`;
  expectWithin(1000, () => [long, '<'.repeat(100_000)].map(linksInField));
});
