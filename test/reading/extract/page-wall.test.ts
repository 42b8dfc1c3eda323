import { describe, expect, test } from 'vitest';
import { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { page } from './page.ts';

const OPTIONS = { productToken: 'forager' };
const extractor = new PageExtractor(OPTIONS, new PageParser());
const fast = pageExtractor(OPTIONS);

/** By both parsers, which agree. */
function read(html: string, url?: string) {
  const found = extractor.extract(page(html, url));
  expect(fast.extract(page(html, url))).toEqual(found);
  return found;
}

const SCRIPT = '<script src="/static/js/main.4f1c.js"></script>';
const PROSE = `<p>${'The mill stood on the river for three hundred years, and its wheel ground the corn of seven villages. '.repeat(4)}</p>`;

const APPS: Readonly<Record<string, string>> = {
  'a root and a noscript': `<title>Atlas</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${SCRIPT}`,
  'a root alone': `<title>Bog watch</title><body><div id="app"></div><script type=module src=/assets/index.js></script>`,
  'an element of Angular, with a spinner': `<body><app-root><div class="spinner"></div>Loading…</app-root>${SCRIPT}`,
  'a root with a picture while it loads': `<body><div id="__next"><img src="/logo.svg" alt=""><p>Please wait</p></div>${SCRIPT}`,
  'a message that is no noscript': `<body><div id="q-app">We're sorry but Reeds doesn't work properly without JavaScript enabled. Please enable it to continue.</div>${SCRIPT}`,
  'a message in German': `<body><noscript><p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</p></noscript><div></div>${SCRIPT}`,
  'a message in Japanese': `<body><noscript>このサイトを利用するには、JavaScriptを有効にしてください。</noscript><main></main>${SCRIPT}`,
  'a hidden login form beside the root': `<body><div id="main-app"></div><form style="display:none"><input name=u><input type=password></form>${SCRIPT}`,
  'labels of a frame around it': `<body><noscript>This page requires JavaScript.</noscript><header><a href=/>River data</a> <a href=/about>About</a></header><div id="root"></div><footer>© 2026 River Trust</footer>${SCRIPT}`,
};

test.each(Object.entries(APPS))('an application needs JavaScript: %s', (_, html) => {
  const { wall, text, warnings } = read(html);
  expect(wall).toBe('needs-javascript');
  expect(text).toBe('');
  expect(warnings).toContain('the page needs JavaScript: it has no text without its scripts; see --render');
});

const LOGINS: Readonly<Record<string, readonly [html: string, url?: string]>> = {
  'a form and little else': [
    '<title>Members</title><h1>Members only</h1><form><label>User <input name=u></label><label>Password <input type=password></label><button>Go</button></form>',
  ],
  'a German title in a full frame': [
    `<title>Anmelden | Moorarchiv</title><nav>${'<a href=/x>Ein Bereich des Archivs</a> '.repeat(20)}</nav><main><h1>Anmelden</h1><p>Bitte melden Sie sich an.</p><form><input name=u><input type="password"></form></main>`,
  ],
  'a Chinese heading': ['<h1>用户登录</h1><form><p>账号 <input name=u></p><p>密码 <input type=PASSWORD></p></form>'],
  'the first of two steps, by its address': [
    '<title>Library</title><form><p>Your e-mail address</p><input type=email name=e><button>Next</button></form>',
    'https://www.example.com/signin?next=%2Fitem%2F4',
  ],
};

test.each(Object.entries(LOGINS))('a login: %s', (_, [html, url]) => {
  expect(read(html, url).wall).toBe('login');
});

const CONSENTS: Readonly<Record<string, readonly [html: string, url?: string]>> = {
  'a dialog in place of the page': [
    '<title>Daily</title><h1>Before you continue</h1><p>We and our partners use cookies to store personal data on your device.</p><p>You can change your consent at any time.</p><button>Accept all</button> <button>Reject</button>',
  ],
  'in French': [
    '<h1>Le respect de votre vie privée</h1><p>Nous utilisons des cookies avec nos partenaires.</p><p>Sans votre consentement, les cookies ne sont pas déposés.</p><form action=/ok><input type=submit value="Accepter"></form>',
  ],
  'in Japanese': [
    '<p>このサイトはクッキーを使用しています。</p><p>クッキーの使用に同意してください。</p><form><button>同意する</button></form>',
  ],
  'on a host of consents': [
    '<h1>Your privacy choices</h1><p>Choose whether we may use cookies.</p><form><button>I agree</button></form>',
    'https://consent.example.com/v2?continue=https%3A%2F%2Fwww.example.com%2F',
  ],
};

test.each(Object.entries(CONSENTS))('a consent wall: %s', (_, [html, url]) => {
  expect(read(html, url).wall).toBe('consent-wall');
});

describe('pages of their own', () => {
  const pages: Readonly<Record<string, readonly [html: string, url?: string]>> = {
    'an article with a noscript': [
      `<noscript>Please enable JavaScript to use this site.</noscript><article><h1>Mill</h1>${PROSE}</article>${SCRIPT}`,
    ],
    'a short one with a noscript': [
      `<noscript>Please enable JavaScript.</noscript><h1>Reed</h1><p>Reed is the tall grass of lakes and slow rivers, cut in winter for roofs.</p>${SCRIPT}`,
    ],
    'an article rendered into its root': [`<div id="root"><main><h1>Mill</h1>${PROSE}</main></div>${SCRIPT}`],
    'a sentence rendered into its root': [`<div id="root"><p>The lake froze in the night of the ninth.</p></div>${SCRIPT}`],
    'a picture with comments by a script': [
      `<h1>Sunset</h1><img src=/s.jpg><noscript>Please enable JavaScript to view the comments powered by Disqus.</noscript>${SCRIPT}`,
    ],
    'a noscript that is the page': [`<div id="app"></div><noscript><h1>Mill</h1>${PROSE}</noscript>${SCRIPT}`],
    'an article about JavaScript': [`<h1>How to enable JavaScript</h1>${PROSE}<p>JavaScript is enabled in the settings.</p>`],
    'an empty page': ['<title>Nothing</title><body></body>'],
    'an article with a login in its header': [
      `<header><form>Log in <input name=u><input type=password></form></header><article><h1>Mill</h1>${PROSE}${PROSE}${PROSE}</article>`,
    ],
    'advice about logins': [
      `<title>How do I sign in to the library catalogue from home?</title><h1>How do I sign in from home?</h1><article>${PROSE}${PROSE}</article>`,
      'https://www.example.com/help/login',
    ],
    'an article with a banner about cookies': [
      `<div role="dialog"><p>We use cookies.</p><p>Accept our cookies?</p><button>Accept</button></div><article><h1>Mill</h1>${PROSE}${PROSE}</article>`,
    ],
    'a policy about cookies': [
      '<h1>Cookies</h1><p>We use cookies to count visits.</p><p>Cookies are small files.</p><form><button>Search</button></form>',
      'https://www.example.com/cookie-policy',
    ],
    'a recipe for cookies': [
      `<h1>Oat cookies</h1>${'<p>Stir the oats into the butter and the sugar until it holds.</p>'.repeat(5)}<p>Bake the cookies for ten minutes.</p><button>Print</button>`,
    ],
  };

  test.each(Object.entries(pages))('%s', (_, [html, url]) => {
    const { wall, warnings } = read(html, url);
    expect(wall).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

test('an application has no Markdown and no blocks of main text either', () => {
  const app = page(APPS['a root and a noscript'] ?? '');
  expect(extractor.extractMarkdown(app).markdown).toBe('# Atlas\n');
  expect(extractor.explain(app).extraction.wall).toBe('needs-javascript');
});
