import { command } from '../define.ts';

export const extractCommand = command({
  name: 'extract',
  positionals: ['inputs'],
  summary: 'title, main text, links and metadata of pages, one JSON line a page; or their text',
  examples: [
    ['$0 extract page.html', 'the text that a topic model reads'],
    ['$0 extract pages/ --format markdown', 'the pages of a folder as Markdown'],
    ['$0 extract pages/ --format text --title --no-code', 'titles and prose'],
    ['$0 extract page.html --explain', 'which blocks are the main text, and why'],
    ['$0 extract https://app.example/item/4 --render auto', 'a page that is empty without scripts, after a browser has run them'],
    ['curl -s https://example.org/ | $0 extract -', 'a page on standard input'],
    ['cat corpus-*.warc.gz | $0 extract -', 'the pages of a WARC on standard input'],
  ],
  run: async (options) => (await import('../runs/extract.ts')).runExtract(options),
});
