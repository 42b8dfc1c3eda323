import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Post } from '../../../src/base/core/types.ts';
import type { TextParts } from '../../../src/reading/extract/text-parts.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const golden = (name: string) => readFileSync(fileURLToPath(new URL(`../../golden/${name}.html`, import.meta.url)), 'utf8');

function postsOf(html: string, parts: TextParts = {}): readonly Post[] {
  return pageExtractor({ productToken: 'forager', parts }).extract(page(html)).posts ?? [];
}

const heads = (html: string) => postsOf(html).map(({ author, published, depth }) => [depth, author, published]);

/** A post of a made-up program. */
interface Part {
  readonly by: string;
  readonly at: string;
  readonly text: string;
}

const PARTS: readonly Part[] = [
  {
    by: 'Odile',
    at: '4 May 2019',
    text: 'The kiln cools too fast, and the glaze of my bowls cracks. How long do you wait before you open it?',
  },
  { by: 'potter_9', at: '5 May 2019', text: 'I wait a whole night. Below eighty degrees nothing can happen to a bowl of stoneware.' },
  { by: 'Odile', at: '7 May 2019', text: 'A night was enough. There is not one crack in the last twelve pieces.' },
];
const thread = (of: (part: Part, i: number) => string) =>
  `<html lang="en"><title>Cracks in the glaze</title><body><nav><a href="/">Home</a></nav><div id="list">${PARTS.map(of).join('\n')}</div></body></html>`;

test.each([
  [
    'list items',
    ({ by, at, text }: Part) => `<li class="reply-item"><b class="nick">${by}</b> <i>${at}</i><div class="txt"><p>${text}</p></div></li>`,
  ],
  ['definition lists', ({ by, at, text }: Part) => `<dl class="msg"><dt><a href="/user/${by}">${by}</a>, ${at}</dt><dd>${text}</dd></dl>`],
  [
    'cells without names',
    ({ by, at, text }: Part) => `<table><tr><td><b>${by}</b></td><td><small>Posted: ${at}</small><br><br>${text}</td></tr></table>`,
  ],
  [
    'microformats',
    ({ by, at, text }: Part) =>
      `<article class="h-entry"><a class="p-author h-card" href="/${by}">${by}</a> <time class="dt-published">${at}</time><div class="e-content"><p>${text}</p></div></article>`,
  ],
  [
    'microdata',
    ({ by, at, text }: Part) =>
      `<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">${by}</span><time itemprop="dateCreated">${at}</time><p itemprop="text">${text}</p></div>`,
  ],
  [
    'elements with ids',
    ({ by, at, text }: Part, i: number) =>
      `<section id="message-${i}"><header>${by} wrote on ${at}:</header><p>${text}</p><footer>Reply</footer></section>`,
  ],
])('posts in %s', (_, of) => {
  const posts = postsOf(thread(of));
  expect(posts.map(({ author, text }) => ({ by: author, text }))).toEqual(PARTS.map(({ by, text }) => ({ by, text })));
  expect(posts.map(({ published }) => published)).toEqual(['2019-05-04', '2019-05-05', '2019-05-07']);
});

test('heads in other languages', () => {
  const german = thread(
    ({ by, at, text }) =>
      `<div class="post"><p>von ${by} » ${at.replace('May', 'Mai').replace(' ', '. ')}, 14:05</p><div class="content">${text}</div></div>`,
  );
  expect(heads(german.replace('"en"', '"de"'))).toEqual([
    [0, 'Odile', '2019-05-04T14:05:00'],
    [0, 'potter_9', '2019-05-05T14:05:00'],
    [0, 'Odile', '2019-05-07T14:05:00'],
  ]);
  const french = thread(
    ({ by, at, text }) =>
      `<div class="message"><span class="auteur username">${by}</span><p>Publié le ${at.replace('May', 'mai')}</p><div class="texte">${text}</div></div>`,
  );
  expect(heads(french.replace('"en"', '"fr"')).map(([, by, at]) => `${by} ${at}`)).toEqual([
    'Odile 2019-05-04',
    'potter_9 2019-05-05',
    'Odile 2019-05-07',
  ]);
});

test('days in numbers have the order that days beyond the twelfth show', () => {
  const at = ['05-04-2019', '05-13-2019', '05-14-2019'];
  const posts = postsOf(
    thread(
      ({ by, text }, i) =>
        `<div class="post"><span class="username">${by}</span> <span class="date">${at[i]}</span><div class="body">${text}</div></div>`,
    ),
  );
  expect(posts.map(({ published }) => published)).toEqual(['2019-05-04', '2019-05-13', '2019-05-14']);
});

test('a date that is only relative is unknown, and a day to come is none', () => {
  const posts = postsOf(
    thread(
      ({ by, text }, i) =>
        `<div class="comment"><a class="author" href="#">${by}</a> <span class="age">${i + 2} hours ago</span><div class="body">${text}</div></div>`,
    ),
  );
  expect(posts.map(({ author, published }) => [author, published])).toEqual([
    ['Odile', null],
    ['potter_9', null],
    ['Odile', null],
  ]);
  const future = postsOf(
    thread(
      ({ by, text }) =>
        `<div class="comment"><b class="author">${by}</b> <time datetime="2099-05-03">3 May 2099</time><div class="body">${text}</div></div>`,
    ),
  );
  expect(future.map(({ published }) => published)).toEqual([null, null, null]);
});

test('profiles, buttons, signatures and lines of edits are none of the text', () => {
  const html = thread(
    ({ by, at, text }, i) =>
      `<div class="post"><div class="side"><a href="/member.php?u=${i}">${by}</a><p>Senior Member</p><p>Posts: ${500 + i}</p><p>Joined: 2004</p></div><div class="main"><p class="date">${at}</p><div class="body">${text}</div><p>Last edited by ${by} on ${at}</p><div class="signature">Clay is patient</div><p><a href="/r">Reply</a> <a href="/q">Quote</a> <a href="/x">Report</a></p></div></div>`,
  );
  const { text, posts } = extractor.extract(page(html));
  expect(posts?.map((post) => post.text)).toEqual(PARTS.map((part) => part.text));
  expect(text).toBe(PARTS.map((part) => part.text).join('\n\n'));
});

test('quotes are told from own words, in posts and in Markdown', () => {
  const quote = '<blockquote><p>How long do you wait?</p><p>The glaze cracks.</p></blockquote>';
  const html = thread(
    ({ by, at, text }, i) =>
      `<div class="post" id="p${i}"><b class="username">${by}</b> <time>${at}</time><div class="body">${i === 1 ? quote : ''}<p>${text}</p></div></div>`,
  );
  expect(postsOf(html)[1]?.text).toBe(`> How long do you wait?\n>\n> The glaze cracks.\n\n${PARTS[1]?.text}`);
  const { markdown, extraction } = extractor.extractMarkdown(page(html));
  expect(markdown).toContain('> How long do you wait?\n>\n> The glaze cracks.\n');
  expect(extraction.text).toContain('How long do you wait?\n\nThe glaze cracks.');
});

test('a quote that repeats a long text of an earlier post is not in the main text', () => {
  const long = `${PARTS[0]?.text} The shelves are of cordierite, the cones say nine, and the door has a new seal since March of this year.`;
  const html = thread(
    ({ by, at, text }, i) =>
      `<div class="post" id="p${i}"><b class="username">${by}</b> <time>${at}</time><div class="body">${i === 0 ? '' : `<blockquote>${long}</blockquote>`}<p>${i === 0 ? long : text}</p></div></div>`,
  );
  const { text, posts } = extractor.extract(page(html));
  expect(text.split(long).length).toBe(2);
  expect(posts?.[2]?.text).toBe(`> ${long}\n\n${PARTS[2]?.text}`);
});

test('the head of each post is in the text on request', () => {
  const html = golden('forum-xenforo');
  const wanted = pageExtractor({ productToken: 'forager', parts: { postHeads: true } });
  const { extraction, markdown } = wanted.extractMarkdown(page(html));
  expect(extraction.text.split('\n\n').filter((line) => line.includes('2019'))).toEqual([
    'propolis, 2019-04-18T09:15:00+02:00',
    'smoker, 2019-04-18T09:44:00+02:00',
    'propolis, 2019-04-19T07:30:00+02:00',
  ]);
  expect(markdown.match(/^\*\*.*\*\*$/gm)).toEqual([
    '**propolis, 2019-04-18T09:15:00+02:00**',
    '**smoker, 2019-04-18T09:44:00+02:00**',
    '**propolis, 2019-04-19T07:30:00+02:00**',
  ]);
  expect(extraction.posts).toEqual(extractor.extract(page(html)).posts);
});

test('comments are omitted with their posts', () => {
  const html = golden('forum-blog-comments');
  expect(postsOf(html).length).toBe(4);
  expect(postsOf(html, { comments: false }).map(({ depth }) => depth)).toEqual([0]);
});

test('all visible text stays all, and has posts', () => {
  const all = pageExtractor({ productToken: 'forager', extractor: 'none' }).extract(page(golden('forum-mybb')));
  expect(all.text).toContain('Reputation: 0');
  expect(all.posts?.length).toBe(3);
});

const ld = (value: unknown) =>
  `<html lang="en"><title>Kiln</title><script type="application/ld+json">${JSON.stringify(value)}</script><body><main><p>${PARTS[0]?.text} ${PARTS[1]?.text}</p></main></body></html>`;

test('posts that only JSON-LD states', () => {
  const comment = (i: number, more: object = {}) => ({
    '@type': 'Comment',
    author: { '@type': 'Person', name: PARTS[i]?.by },
    datePublished: `2019-05-0${4 + i}`,
    text: PARTS[i]?.text,
    ...more,
  });
  const forum = {
    '@context': 'https://schema.org',
    ...comment(0),
    '@type': 'DiscussionForumPosting',
    url: 'https://www.example.com/t/1',
    comment: [comment(1, { comment: comment(2) })],
  };
  expect(postsOf(ld(forum))).toEqual(
    PARTS.map(({ by, text }, i) => ({
      author: by,
      published: `2019-05-0${4 + i}`,
      text,
      depth: i,
      url: i === 0 ? 'https://www.example.com/t/1' : null,
    })),
  );
  const question = {
    '@graph': [
      {
        '@type': 'QAPage',
        mainEntity: {
          ...comment(0),
          '@type': 'Question',
          acceptedAnswer: { ...comment(1), '@type': 'Answer', text: `<p>${PARTS[1]?.text}</p>` },
          suggestedAnswer: [{ ...comment(2), '@type': 'Answer' }],
        },
      },
    ],
  };
  expect(postsOf(ld(question)).map(({ depth, text }) => [depth, text])).toEqual([
    [0, PARTS[0]?.text],
    [1, PARTS[1]?.text],
    [1, PARTS[2]?.text],
  ]);
  const blog = {
    '@type': 'Blog',
    blogPost: [0, 1].map((i) => ({ ...comment(i), '@type': 'BlogPosting', text: undefined, articleBody: PARTS[i]?.text })),
  };
  expect(postsOf(ld(blog)).map(({ author }) => author)).toEqual(['Odile', 'potter_9']);
});

test('questions that nobody asked, one article and damaged JSON-LD are no posts', () => {
  const faq = {
    '@type': 'FAQPage',
    mainEntity: PARTS.map(({ text }) => ({ '@type': 'Question', name: 'Why?', acceptedAnswer: { '@type': 'Answer', text } })),
  };
  expect(postsOf(ld(faq))).toEqual([]);
  expect(postsOf(ld({ '@type': 'BlogPosting', author: 'Odile', articleBody: PARTS[0]?.text }))).toEqual([]);
  expect(
    postsOf(
      ld([
        { '@type': 'Comment', text: 7, author: [[]], datePublished: {} },
        { '@type': ['DiscussionForumPosting'], text: null },
      ]),
    ),
  ).toEqual([]);
});

test('parts that only JSON-LD states complete the posts of the page', () => {
  const posting = {
    '@type': 'DiscussionForumPosting',
    text: PARTS[0]?.text,
    comment: PARTS.slice(1).map(({ by, text }) => ({ '@type': 'Comment', author: by, datePublished: '2019-05-05T08:00:00Z', text })),
  };
  const html = thread(({ by, text }) => `<div class="post"><b class="username">${by}</b><div class="body">${text}</div></div>`).replace(
    '<body>',
    `<script type="application/ld+json">${JSON.stringify(posting)}</script><body>`,
  );
  expect(heads(html)).toEqual([
    [0, 'Odile', null],
    [0, 'potter_9', '2019-05-05T08:00:00Z'],
    [0, 'Odile', '2019-05-05T08:00:00Z'],
  ]);
});

test.each(['article', 'documentation', 'listing', 'reference-index', 'blog-teasers', 'no-text', 'cjk'])('no posts on %s', (name) =>
  expect(extractor.extract(page(golden(name))).posts).toBeUndefined(),
);

test('columns, products and events are no posts', () => {
  const event = thread(
    ({ by, at, text }) => `<li><h3><a href="/e/${by}">${by}</a></h3><time>${at}</time><p>${text.slice(0, 50)} …</p></li>`,
  );
  expect(postsOf(event)).toEqual([]);
  const columns = `<html lang="en"><title>Two columns</title><body><div class="col"><p>By Odile Marr, 4 May 2019</p><p>${PARTS[0]?.text}</p></div><div class="col"><p>4 May 2019</p><p>${PARTS[1]?.text}</p></div></body></html>`;
  expect(postsOf(columns)).toEqual([]);
});

test('many posts and deep ones: capped, in a time that grows with the page', () => {
  const post = (i: number, inner = '') =>
    `<div class="comment" id="c${i}"><b class="author">u${i}</b> <time>4 May 2019</time><div class="body"><p>Number ${i} has some words of its own.</p></div>${inner}</div>`;
  const flat = postsOf(`<title>Many</title><body>${Array.from({ length: 5_000 }, (_, i) => post(i)).join('')}</body>`);
  expect(flat.length).toBe(2_000);
  let deep = '';
  for (let i = 400; i > 0; i -= 1) deep = post(i, deep);
  const depths = postsOf(`<title>Deep</title><body>${deep}</body>`).map(({ depth }) => depth);
  expect(depths.length).toBeGreaterThan(100);
  expect(Math.max(...depths)).toBeLessThanOrEqual(100);
});

test('any markup has a result', () => {
  const open = '<div class="comment"><b class="author">a</b><time>4 May 2019</time><blockquote class="quote">';
  for (const html of [
    open.repeat(3_000),
    `${open.repeat(300)}text `.repeat(20),
    `<table class="post"><tr><td>4 May 2019</td>`.repeat(2_000),
    golden('forum-phpbb').slice(0, 2_000),
  ])
    expect(() => extractor.extract(page(html))).not.toThrow();
});
