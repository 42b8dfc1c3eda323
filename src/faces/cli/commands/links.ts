import { command } from '../define.ts';

export const linksCommand = command({
  name: 'links',
  positionals: ['inputs'],
  summary: 'every URL in the tags of a page, absolute, with the words of links: one JSON line a URL',
  examples: [
    ['$0 links https://example.org/', 'links, images, scripts, styles, forms and frames of a page'],
    ['$0 links page.html --tag a --format urls', 'the targets of its links alone'],
    ['curl -s https://example.org/ | $0 links -', 'a page on standard input: its relative URLs are unknown'],
  ],
  run: async (options) => (await import('../runs/links.ts')).runLinks(options),
});
