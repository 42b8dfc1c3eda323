/** Made-up pages on which the rules of walls were tuned. Shells have the form of new projects of their frameworks; all words are ours. */
import { documentOf, labelled, navigation, prose } from './labelled-page.ts';

const BUNDLE = '<script defer src="/static/js/main.8b1a4f2c.js"></script>';
const VITE = '<script type="module" crossorigin src="/assets/index-D3xk9q1Z.js"></script>';
const DEMAND = 'You need to enable JavaScript to run this app.';

const SHELLS = {
  'React, new project': documentOf('River atlas', `<noscript>${DEMAND}</noscript><div id="root"></div>`, 'en', BUNDLE),
  'React without noscript': documentOf('River atlas', '<div id="root"></div>', 'en', BUNDLE),
  'React with Vite': documentOf('River atlas', '<div id="root"></div>', 'en', VITE),
  'Next, client side': documentOf(
    'Stations',
    '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/"}</script><script src="/_next/static/chunks/main-5d1c.js" defer></script>',
  ),
  'Vue CLI': documentOf(
    'Reeds',
    '<noscript><strong>We\'re sorry but reeds doesn\'t work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div>',
    'en',
    '<script defer src="/js/app.3f2b.js"></script>',
  ),
  'Vue with Vite': documentOf('Reeds', '<div id="app"></div>', 'en', VITE),
  Angular: documentOf(
    'Lock log',
    '<app-root></app-root><script src="runtime.5f3.js" type="module"></script><script src="main.9c1.js" type="module"></script>',
  ),
  'Angular with a spinner': documentOf('Lock log', `<app-root><div class="lds"></div><p>Loading lock log …</p></app-root>${BUNDLE}`),
  Svelte: documentOf('Heron', '<div id="app"></div>', 'en', VITE),
  Gatsby: documentOf(
    'Peat',
    '<noscript>This app works best with JavaScript enabled.</noscript><div id="___gatsby"></div><script src="/webpack-runtime-71a.js" async></script><script src="/app-92c.js" async></script>',
  ),
  Quasar: documentOf('Dike watch', `<div id="q-app"></div>${VITE}`),
  Ionic: documentOf('Ferry', `<ion-app></ion-app><script type="module" src="/build/app.esm.js"></script>`),
  Ember: documentOf(
    'Tide',
    '<div class="ember-application" id="ember-application"></div><script src="/assets/vendor-7a.js"></script><script src="/assets/tide-9b.js"></script>',
  ),
  'a frame around an empty root': documentOf(
    'Trust',
    `<header><a href="/">Trust</a> <a href="/about">About</a></header><div id="root"></div><footer>© 2025 Trust</footer><noscript>Please enable JavaScript.</noscript>${BUNDLE}`,
  ),
  'a demand in German': documentOf(
    'Moor',
    `<noscript>Für diese Seite muss JavaScript aktiviert sein.</noscript><div id="app"></div>${BUNDLE}`,
    'de',
  ),
  'a demand that is visible': documentOf('Bog', `<div id="root">Please turn on JavaScript to use this site.</div>${BUNDLE}`),
};

const HYDRATED = {
  'Next, rendered by the server': documentOf(
    'Mill',
    `<div id="__next"><main><h1>The mill</h1>${prose(4)}</main></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src="/_next/static/chunks/main-5d1c.js" defer></script>`,
  ),
  'Nuxt, rendered by the server': documentOf(
    'Mill',
    `<div id="__nuxt"><div><h1>The mill</h1>${prose(3)}</div></div><script>window.__NUXT__={}</script>${VITE}`,
  ),
  'Gatsby, rendered at build time': documentOf(
    'Peat',
    `<noscript>This app works best with JavaScript enabled.</noscript><div id="___gatsby"><div id="gatsby-focus-wrapper"><article><h1>Peat</h1>${prose(4)}</article></div></div>${BUNDLE}`,
  ),
  'React, one short notice': documentOf(
    'Notice',
    `<noscript>${DEMAND}</noscript><div id="root"><main><h1>Notice</h1><p>The archive is closed on the second of May. The reading room opens again on the third.</p></main></div>${BUNDLE}`,
  ),
};

const field = (name: string, type: string) => `<label>${name} <input type="${type}" name="${type}"></label>`;
const loginOf = (title: string, user: string, password: string, button: string, lang: string, rest = '') =>
  documentOf(
    title,
    `<h1>${title}</h1><form method="post">${field(user, 'text')}${field(password, 'password')}<button>${button}</button></form>${rest}`,
    lang,
  );

const LOGINS = {
  English: loginOf('Log in', 'User name', 'Password', 'Log in', 'en', '<p><a href="/forgot">Forgot your password?</a></p>'),
  German: loginOf('Anmelden', 'Benutzername', 'Passwort', 'Anmelden', 'de'),
  French: loginOf('Se connecter', "Nom d'utilisateur", 'Mot de passe', 'Connexion', 'fr'),
  Spanish: loginOf('Iniciar sesión', 'Usuario', 'Contraseña', 'Entrar', 'es'),
  Italian: loginOf('Accesso', 'Utente', 'Password', 'Accedi', 'it'),
  'inside the frame of a site': documentOf(
    'Sign in | Library of the dike',
    `${navigation(20)}<main><h1>Sign in</h1><p>Members read the whole archive. Sign in with your card.</p><form>${field('Card', 'text')}${field('PIN', 'password')}<button>Sign in</button></form></main><footer>${navigation(8)}</footer>`,
  ),
  'two steps': [
    documentOf('Account', `<form><label>Your e-mail <input type="email"></label><button>Next</button></form>`),
    'https://id.example.com/signin?continue=%2Fitem%2F4',
  ] as const,
  'buttons of providers': [
    documentOf('Continue', '<h1>Continue to the archive</h1><a href="/auth/a">Use account A</a> <a href="/auth/b">Use account B</a>'),
    'https://www.example.com/login?return_to=%2Fitem%2F4',
  ] as const,
  'members only': documentOf(
    'Members',
    `<h1>This page is for members</h1><p>Please enter your password to read on.</p><form>${field('Password', 'password')}<input type="submit" value="Open"></form>`,
  ),
};

const button = (...names: readonly string[]) => names.map((name) => `<button>${name}</button>`).join(' ');
const CONSENTS = {
  English: documentOf(
    'Before you continue',
    `<h1>Before you continue</h1><p>We and our partners use cookies and similar technologies to store and read data on your device.</p><p>You can change your consent in the cookie settings at any time.</p>${button('Accept all', 'Reject all', 'Settings')}`,
  ),
  German: documentOf(
    'Zustimmung',
    `<h1>Weiter mit Werbung</h1><p>Wir und unsere Partner verwenden Cookies und verarbeiten personenbezogene Daten.</p><p>Mit Ihrer Zustimmung lesen Sie die Seite mit Cookies und Werbung.</p>${button('Zustimmen', 'Abo abschließen')}`,
    'de',
  ),
  French: documentOf(
    'Vos choix',
    `<h1>Le respect de votre vie privée</h1><p>Nous utilisons des cookies et nos partenaires aussi.</p><p>Sans votre consentement, aucun cookie n'est déposé.</p>${button('Accepter', 'Refuser')}`,
    'fr',
  ),
  Spanish: documentOf(
    'Su privacidad',
    `<h1>Su privacidad</h1><p>Usamos cookies propias y de terceros.</p><p>Puede aceptar las cookies o retirar su consentimiento.</p>${button('Aceptar', 'Rechazar')}`,
    'es',
  ),
  Italian: documentOf(
    'Privacy',
    `<h1>Il tuo consenso</h1><p>Questo sito usa cookie tecnici e cookie di terze parti.</p><p>Il consenso ai cookie si può revocare.</p>${button('Accetta', 'Rifiuta')}`,
    'it',
  ),
  'an address of consents': [
    documentOf(
      'Choices',
      `<h1>Your choices</h1><p>Choose whether we may use cookies for statistics.</p><form>${button('I agree', 'No')}</form>`,
    ),
    'https://consent.example.com/v2/collect?return=%2Fitem%2F4',
  ] as const,
};

const PAGES = {
  'an article': documentOf('Mill', `${navigation(12)}<article><h1>The mill</h1>${prose(6)}</article>`),
  'an article with a noscript for its comments': documentOf(
    'Mill',
    `<article><h1>The mill</h1>${prose(4)}</article><div id="comments"></div><noscript>Please enable JavaScript to view the comments.</noscript><script src="/c.js"></script>`,
  ),
  'a short notice with such a noscript': documentOf(
    'Closed',
    `<p>The reading room is closed today.</p><div id="disqus_thread"></div><noscript>Please enable JavaScript to view the comments powered by Disqus.</noscript><script src="/c.js"></script>`,
  ),
  'a photograph': documentOf('Sunset', `<h1>Sunset over the dike</h1><img src="/s.jpg" alt=""><script src="/count.js"></script>`),
  'a gallery': documentOf(
    'Herons',
    `<h1>Herons</h1>${'<a href="/h"><img src="/h.jpg"></a>'.repeat(12)}<noscript>Enable JavaScript for the slide show.</noscript><script src="/slides.js"></script>`,
  ),
  'a search without results': documentOf(
    'Search',
    `${navigation(10)}<form><input name="q"><button>Search</button></form><p>No record has all of your words.</p><script src="/count.js"></script>`,
  ),
  'an empty page': documentOf('', ''),
  'it works': documentOf('It works', '<h1>It works!</h1>'),
  'an article about scripts': documentOf(
    'Scripts',
    `<article><h1>How to enable JavaScript in your browser</h1>${prose(2)}<p>Open the settings, and enable JavaScript for all sites.</p></article>`,
  ),
  'a policy about cookies': [
    documentOf(
      'Cookies',
      `<h1>Cookies</h1><p>We use cookies to count visits.</p><p>Cookies are small files of your browser. You may refuse cookies.</p><form>${button('Search')}</form>`,
    ),
    'https://www.example.com/cookie-policy',
  ] as const,
  'a recipe for cookies': documentOf(
    'Oat cookies',
    `<h1>Oat cookies</h1>${prose(2)}<p>Bake the cookies for ten minutes.</p>${button('Print')}`,
  ),
  'an article below a banner about cookies': documentOf(
    'Mill',
    `<div role="dialog"><p>We use cookies.</p><p>Do you accept cookies?</p>${button('Accept')}</div><article><h1>The mill</h1>${prose(5)}</article>`,
  ),
  'an article below a login': documentOf(
    'Mill',
    `<header><form>${field('Name', 'text')}${field('Password', 'password')}${button('Log in')}</form></header><article><h1>The mill</h1>${prose(6)}</article>`,
  ),
  'help about logins': [
    documentOf('Help', `<h1>How do I sign in from home?</h1><article>${prose(3)}</article>`),
    'https://www.example.com/help/login',
  ] as const,
  'a list of links': documentOf('Index', navigation(60)),
  'a table': documentOf(
    'Levels',
    `<table>${Array.from({ length: 30 }, (_, i) => `<tr><td>${i + 1} May</td><td>${212 + ((i * 7) % 13)} cm</td></tr>`).join('')}</table>`,
  ),
  'a map with a caption': documentOf(
    'Map',
    `<h1>Stations of the river</h1><div id="map"></div><p>Twelve stations measure the level of the river each hour. The oldest one is at the lower bridge.</p><script src="/map.js"></script><noscript>The map needs JavaScript.</noscript>`,
  ),
  'a page in noscript': documentOf(
    'Forum',
    `<section id="d-splash"></section><noscript><h1>Which reed for roofs?</h1>${prose(5)}</noscript><discourse-assets></discourse-assets>${BUNDLE}`,
  ),
};

export const TUNED_PAGES = [
  ...labelled('needs-javascript', 'tuned', SHELLS),
  ...labelled('page', 'tuned', HYDRATED),
  ...labelled('login', 'tuned', LOGINS),
  ...labelled('consent-wall', 'tuned', CONSENTS),
  ...labelled('page', 'tuned', PAGES),
];
