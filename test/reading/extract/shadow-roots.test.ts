import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withShadowRoots } from '../../../src/reading/extract/shadow-roots.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';
import { page } from './page.ts';

const all = pageExtractor({ productToken: 'forager', extractor: 'none' });
const read = (html: string) => all.extract(page(html));
const lines = (html: string) => read(html).text.split(/\n+/);
const root = (content: string, mode = 'open') => `<template shadowrootmode="${mode}">${content}</template>`;

test.each([
  ['open and closed', `<x-a>${root('<p>one')}</x-a><div>${root('<p>two', 'CLOSED')}</div>`, ['one', 'two']],
  ['of any other mode, and other templates', `<x-a>${root('<p>one', 'ajar')}</x-a><template><p>two</template><p>three`, ['three']],
  ['with capitals', '<x-a><TEMPLATE ShadowRootMode=Open><p>one</TEMPLATE></x-a>', ['one']],
  ['a second one', `<x-a>${root('<p>one')}${root('<p>two')}</x-a>`, ['one']],
  ['inside a root', `<x-a>${root(`<p>one<x-b>${root('<p>two')}</x-b><p>three`)}</x-a>`, ['one', 'two', 'three']],
  ['inside a template', `<template><x-a>${root('<p>one')}</x-a></template><p>two`, ['two']],
  ['styles in it', `<x-a>${root('<style>p{}</style><p>one<script>"two"</script>')}</x-a>`, ['one']],
  [
    'named slots',
    `<x-a>${root('<slot name=b></slot><hr><slot name="a"></slot>')}<p slot=a>one</p><p slot="b">two</p></x-a>`,
    ['two', 'one'],
  ],
  [
    'the slot without a name',
    `<x-a>${root('<p>one</p><slot></slot><p>four')}two <b>three</b></x-a>five`,
    ['one', 'two three', 'four', 'five'],
  ],
  ['fallbacks', `<x-a>${root('<slot name=a>one</slot> <slot name=b>two</slot>')}<b slot=b>three</b></x-a>`, ['one three']],
  ['children without a slot', `<x-a>${root('<p>one')}<p>two</p></x-a><p>three`, ['one', 'three']],
  ['two slots of one name', `<x-a>${root('<slot></slot> and <slot>none</slot>')}one</x-a>`, ['one and none']],
  ['a slot in the slot of an inner host', `<x-a>${root(`<x-b>${root('<p>(<slot></slot>)')}<slot></slot></x-b>`)}one</x-a>`, ['(one)']],
  ['unclosed', '<x-a><template shadowrootmode=open><p>one', ['one']],
  ['end tags that reach out', `<div><x-a>${root('<p>one</div><p>two')}</x-a>three</div>four`, ['one', 'two', 'three', 'four']],
] as const)('%s', (_name, html, expected) => {
  expect(lines(html)).toEqual(expected);
});

test("links of it are the page's, and so is its Markdown", () => {
  const html = `<h1>Gates</h1><x-a>${root('<h2>Sluice</h2><ul><li><a href=/in>inside</a></ul><slot></slot>')}<p>Slotted.</p></x-a>`;
  expect(read(html).outlinks.map(({ url, anchorText }) => [url, anchorText])).toEqual([['https://www.example.com/in', 'inside']]);
  expect(all.extractMarkdown(page(html)).markdown).toBe('# Gates\n\n## Sluice\n\n- inside\n\nSlotted.\n');
});

test('the name of the attribute in a comment or a text makes no root', () => {
  for (const mention of ['<!-- shadowrootmode -->', '<p>shadowrootmode', '<script>"<template shadowrootmode=open>"</script>']) {
    expect(lines(`${mention}<x-a><template><p>two</template><slot>one</slot></x-a>`).at(-1), mention).toMatch(/one$/);
  }
});

test('deep and broken pages take no longer than others, and never throw', () => {
  const repeated = [
    '<x-a><template shadowrootmode=open>',
    '<slot>',
    '</template>',
    '<p slot=a>',
    '<b><template shadowrootmode=open><slot>',
  ];
  for (const part of repeated) expectWithin(1_500, () => withShadowRoots(`shadowrootmode${part.repeat(20_000)}x`), part);
  const parts = fc.constantFrom(
    '<x-a>',
    '</x-a>',
    root('<p>a'),
    '<template shadowrootmode=open>',
    '</template>',
    '<slot>',
    '<slot name=a>',
    '</slot>',
    '<b slot=a>',
    'text',
    '<br>',
    '<svg/>',
    '</p>',
    '<p>',
  );
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 30 }),
      (found) => typeof withShadowRoots(`<template shadowrootmode>${found.join('')}`) === 'string',
    ),
    { numRuns: runs(300) },
  );
});
