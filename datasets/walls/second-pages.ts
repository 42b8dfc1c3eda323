/** Made-up pages that were held until rules failed on them. The rules were changed for them since, so they count as tuned. */
import { documentOf, labelled, navigation, prose } from './labelled-page.ts';

const module = (src: string) => `<script type="module" src="${src}"></script>`;

const SHELLS = {
  'Nuxt, client side': documentOf(
    'Weir',
    `<div id="__nuxt"></div><script>window.__NUXT__={config:{app:{baseURL:"/"}}}</script>${module('/_nuxt/entry.4a1.js')}`,
  ),
  'SvelteKit, client side': documentOf(
    'Weir',
    '<div style="display: contents"><script>{ __sveltekit_1x = { base: "" }; Promise.all([import("/_app/immutable/entry/start.B1.js"), import("/_app/immutable/entry/app.C2.js")]).then(([kit, app]) => { kit.start(app, document.currentScript.parentElement); }); }</script></div>',
  ),
  Solid: documentOf(
    'Weir',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${module('/src/index.tsx')}`,
  ),
  Preact: documentOf(
    'Weir',
    `<div id="preact_root"></div><script defer src="/bundle.6f2.js"></script><noscript>This application needs JavaScript.</noscript>`,
  ),
  Flutter: documentOf('Ferry times', '<script src="flutter_bootstrap.js" async></script>'),
  Elm: documentOf(
    'Ferry times',
    '<div id="elm"></div><script src="/elm.js"></script><script>Elm.Main.init({ node: document.getElementById("elm") });</script>',
  ),
  Blazor: documentOf(
    'Ferry times',
    '<div id="app"><svg class="loading-progress"></svg><div class="loading-progress-text"></div></div><div id="blazor-error-ui" style="display:none">An unhandled error has occurred. <a href="">Reload</a></div><script src="_framework/blazor.webassembly.js"></script>',
  ),
  Lit: documentOf('Dunes', `<dune-reader></dune-reader>${module('/dune-reader.js')}`),
  'Remix, client side': documentOf(
    'Dunes',
    `<p>Loading...</p><script>window.__remixContext = {"isSpaMode":true};</script>${module('/assets/entry.client-Da1.js')}`,
  ),
  Expo: documentOf(
    'Dunes',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/_expo/static/js/web/entry-8c.js" defer></script>`,
  ),
  Discourse: documentOf(
    'Roof forum',
    '<section id="d-splash"><div class="preloader-image"></div></section><discourse-assets></discourse-assets><script src="/assets/browser-detect.js"></script>',
  ),
  Docsify: documentOf(
    'Manual',
    '<div id="app">Please wait...</div><script>window.$docsify = { name: "manual" }</script><script src="//cdn.example.org/docsify.min.js"></script>',
  ),
  'Swagger UI': documentOf(
    'API',
    '<div id="swagger-ui"></div><script src="./swagger-ui-bundle.js"></script><script>window.onload = () => { window.ui = SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui" }); };</script>',
  ),
  Mastodon: documentOf(
    'Post',
    '<div class="app-holder" id="mastodon" data-props="{}"><noscript><img alt="" src="/logo.svg"><div>To use the web application, please enable JavaScript. Or try one of the native apps for your platform.</div></noscript></div><script src="/packs/js/application-7d.js" defer></script>',
  ),
  Stencil: documentOf('Dunes', `<app-root></app-root>${module('/build/app.esm.js')}`),
  Meteor: documentOf('Dunes', '', 'en', '<script src="/6f2b9a.js?meteor_js_resource=true"></script>'),
  Aurelia: documentOf(
    'Dunes',
    '<div aurelia-app="main"><div class="splash"><div class="message">Archive of the dunes</div></div><script src="/dist/entry-bundle.js"></script></div>',
  ),
  'Require and Backbone': documentOf('Catalogue', '<div id="page-wrapper"></div><script data-main="js/main" src="js/require.js"></script>'),
  ExtJS: documentOf('Catalogue', '', 'en', '<script src="microloader.js"></script>'),
  GWT: documentOf(
    'Catalogue',
    '<iframe src="javascript:\'\'" id="__gwt_historyFrame" style="position:absolute;width:0;height:0"></iframe><noscript><div>Your web browser must have JavaScript enabled in order for this application to display correctly.</div></noscript><script src="catalogue/catalogue.nocache.js"></script>',
  ),
  'a check of the browser': documentOf(
    'Just a moment...',
    '<h1>www.example.com</h1><noscript>Enable JavaScript and cookies to continue</noscript><script src="/cdn-cgi/challenge.js"></script>',
  ),
  'a frame with many links': documentOf(
    'Archive',
    `${navigation(30)}<div id="app"></div><footer>Impressum</footer><noscript>This site needs JavaScript.</noscript><script src="/app.js"></script>`,
  ),
  'in Dutch': documentOf(
    'Duinen',
    `<noscript>Schakel JavaScript in om deze site te gebruiken.</noscript><div id="app"></div>${module('/a.js')}`,
    'nl',
  ),
  'in Polish': documentOf(
    'Młyn',
    `<noscript>Aby korzystać z tej strony, włącz obsługę JavaScript.</noscript><div id="strona"></div>${module('/a.js')}`,
    'pl',
  ),
  'in Portuguese': documentOf(
    'Moinho',
    `<noscript>É preciso ativar o JavaScript para usar este aplicativo.</noscript><div id="root"></div>${module('/a.js')}`,
    'pt',
  ),
  'in Russian': documentOf(
    'Мельница',
    `<noscript>Для работы приложения необходимо включить JavaScript.</noscript><div id="content"></div>${module('/a.js')}`,
    'ru',
  ),
  'in Chinese': documentOf('磨坊', `<noscript>请启用 JavaScript 以运行此应用。</noscript><div id="app"></div>${module('/a.js')}`, 'zh'),
  'in Korean': documentOf(
    '방앗간',
    `<noscript>이 앱을 실행하려면 JavaScript를 활성화해야 합니다.</noscript><div id="root"></div>${module('/a.js')}`,
    'ko',
  ),
};

const field = (name: string, type: string) => `<div><label>${name}</label><input type="${type}" name="x"></div>`;
const loginOf = (title: string, user: string, password: string, submit: string, lang: string) =>
  documentOf(
    title,
    `<div class="box"><h2>${title}</h2><form action="/session" method="post">${field(user, 'text')}${field(password, 'password')}<input type="submit" value="${submit}"></form></div>`,
    lang,
  );

const LOGINS = {
  Dutch: loginOf('Inloggen', 'Gebruikersnaam', 'Wachtwoord', 'Inloggen', 'nl'),
  Polish: loginOf('Logowanie', 'Login', 'Hasło', 'Zaloguj się', 'pl'),
  Russian: loginOf('Вход в архив', 'Логин', 'Пароль', 'Войти', 'ru'),
  Japanese: loginOf('ログイン', 'ユーザー名', 'パスワード', 'ログイン', 'ja'),
  Chinese: loginOf('登录', '用户名', '密码', '登录', 'zh'),
  Swedish: loginOf('Logga in', 'Användarnamn', 'Lösenord', 'Logga in', 'sv'),
  Portuguese: loginOf('Entrar', 'Utilizador', 'Palavra-passe', 'Entrar', 'pt'),
  Korean: loginOf('로그인', '아이디', '비밀번호', '로그인', 'ko'),
  Turkish: loginOf('Giriş yap', 'Kullanıcı adı', 'Şifre', 'Giriş', 'tr'),
  Czech: loginOf('Přihlášení', 'Uživatel', 'Heslo', 'Přihlásit', 'cs'),
  Greek: loginOf('Σύνδεση', 'Χρήστης', 'Κωδικός', 'Είσοδος', 'el'),
  WordPress: [
    documentOf(
      'Log In ‹ Archive',
      `<div id="login"><h1><a href="/">Powered by a press</a></h1><form name="loginform" id="loginform" action="/wp-login.php" method="post"><p>${field('Username or Email Address', 'text')}</p><p>${field('Password', 'password')}</p><p><label><input type="checkbox"> Remember Me</label></p><input type="submit" value="Log In"></form><p id="nav"><a href="/lost">Lost your password?</a></p><p><a href="/">← Go to Archive</a></p></div>`,
    ),
    'https://www.example.com/wp-login.php?redirect_to=%2Fitem%2F4',
  ] as const,
  Keycloak: [
    documentOf(
      'Sign in to archive',
      `<h1>Sign in to your account</h1><form id="kc-form-login">${field('Username or email', 'text')}${field('Password', 'password')}<input type="submit" value="Sign In"></form>`,
    ),
    'https://sso.example.com/realms/archive/protocol/openid-connect/auth?client_id=web',
  ] as const,
  'a choice of identity providers': [
    documentOf(
      'Sign in',
      '<h1>Sign in to the archive</h1><p>Continue with your institution or account.</p><a class="btn" href="/auth/orcid">ORCID</a> <a class="btn" href="/auth/uni">University</a> <button>More</button>',
    ),
    'https://www.example.com/login?next=%2Fitem%2F4',
  ] as const,
  'a form of single sign-on': [
    documentOf(
      'Redirecting',
      '<form method="post" action="https://idp.example.com/sso"><input type="hidden" name="SAMLRequest" value="fZJ"><noscript><p>Your browser does not run scripts. Press Continue once to go on.</p><input type="submit" value="Continue"></noscript></form><script>document.forms[0].submit()</script>',
    ),
    'https://www.example.com/saml/login',
  ] as const,
  'a shop behind a password': documentOf(
    'Opening soon',
    `<h1>Opening soon</h1><p>We will open this shop in spring.</p><form>${field('Enter shop using password', 'password')}<button>Enter</button></form>`,
  ),
  'a proxy of a library': documentOf(
    'Library access',
    `${navigation(9)}<h2>Off-campus access</h2><p>You asked for a licensed resource. Log in with your library card number.</p><form>${field('Library card', 'text')}${field('PIN', 'password')}<button>Log in</button></form><p>Visitors may use the resource in the reading room.</p>`,
  ),
};

const button = (...names: readonly string[]) => names.map((name) => `<button type="button">${name}</button>`).join('');
const wall = (lang: string, title: string, lines: readonly string[], ...names: readonly string[]) =>
  documentOf(title, `<main><h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}${button(...names)}</main>`, lang);

const CONSENTS = {
  Dutch: wall(
    'nl',
    'Uw privacy',
    ['Wij en onze partners plaatsen cookies op uw apparaat.', 'Met uw toestemming gebruiken wij cookies voor reclame.'],
    'Akkoord',
    'Instellen',
  ),
  Polish: wall(
    'pl',
    'Twoja prywatność',
    ['My i nasi partnerzy używamy plików cookie.', 'Twoja zgoda na ciasteczka jest dobrowolna.'],
    'Zgadzam się',
    'Nie',
  ),
  Portuguese: wall(
    'pt',
    'A sua privacidade',
    ['Usamos cookies e dados pessoais.', 'Pode aceitar ou recusar os cookies a qualquer momento.'],
    'Aceitar',
    'Recusar',
  ),
  Swedish: wall(
    'sv',
    'Vi värnar om din integritet',
    ['Vi och våra partner använder kakor, även kallade cookies.', 'Du kan ge eller neka samtycke till cookies.'],
    'Godkänn',
    'Avvisa',
  ),
  Danish: wall(
    'da',
    'Dit valg',
    ['Vi bruger cookies til statistik og annoncer.', 'Du kan trække dit samtykke til cookies tilbage.'],
    'Accepter',
    'Afvis',
  ),
  Czech: wall(
    'cs',
    'Soukromí',
    ['Tento web používá soubory cookie.', 'Souhlas s cookie můžete kdykoli odvolat.'],
    'Souhlasím',
    'Odmítnout',
  ),
  Russian: wall(
    'ru',
    'Файлы cookie',
    ['Мы используем файлы cookie.', 'Продолжая, вы даёте согласие на cookie и обработку данных.'],
    'Принять',
  ),
  Japanese: wall('ja', 'プライバシー', ['当サイトではクッキーを使用します。', 'クッキーの利用に同意してください。'], '同意する'),
  Greek: wall(
    'el',
    'Το απόρρητό σας',
    ['Χρησιμοποιούμε cookies και παρόμοιες τεχνολογίες.', 'Μπορείτε να αποδεχθείτε ή να απορρίψετε τα cookies.'],
    'Αποδοχή',
    'Απόρριψη',
  ),
  'pay or accept': wall(
    'en',
    'Read on with advertising',
    [
      'Accept cookies of our 142 partners and read for free.',
      'Or take a subscription without advertising, at 2.99 a month. Cookies for the payment are needed.',
    ],
    'Accept and read',
    'Subscribe',
  ),
  'a privacy gate': [
    documentOf('Gate', `<h1>One moment</h1><p>To show this page we ask for your choice about cookies.</p>${button('OK')}`),
    'https://www.example.com/privacy-gate/?authId=7&redirect=%2Fitem%2F4',
  ] as const,
  'personal data, without the word cookie': wall(
    'en',
    'Your data, your choice',
    [
      'We and 96 partners store and read personal data on your device.',
      'With your consent, we and they use your personal data and your location for advertising.',
    ],
    'Consent',
    'Do not consent',
    'Manage options',
  ),
};

const PAGES = {
  'SvelteKit, rendered by the server': documentOf(
    'Weir',
    `<div style="display: contents"><h1>The weir</h1>${prose(2)}<script>{ __sveltekit_1x = {}; }</script></div>`,
  ),
  'Angular, rendered by the server': documentOf(
    'Weir',
    `<app-root ng-version="18" ng-server-context="ssr"><main><h1>The weir</h1>${prose(1)}</main></app-root>${module('main.9c1.js')}`,
  ),
  'Remix, rendered by the server': documentOf(
    'Weir',
    `<main><h1>The weir</h1>${prose(2)}</main><script>window.__remixContext = {};</script>${module('/assets/entry.client-Da1.js')}`,
  ),
  Docusaurus: documentOf(
    'Manual',
    `<div id="__docusaurus">${navigation(20)}<main><h1>Install</h1><p>Unpack the archive into a folder of its own, and run the setup once.</p></main></div><script src="/assets/js/main.1a.js" defer></script>`,
  ),
  'static words in an element called app': documentOf(
    'Ferry',
    `<div id="app"><h1>Ferry</h1><p>The ferry runs each hour from six in the morning.</p><p>Bicycles travel free.</p></div><script src="/count.js"></script>`,
  ),
  'a short table in a root': documentOf(
    'Prices',
    `<div id="root"><h1>Prices</h1><table><tr><td>Adult</td><td>4.00</td></tr><tr><td>Child</td><td>2.00</td></tr><tr><td>Bicycle</td><td>1.00</td></tr><tr><td>Group of ten</td><td>30.00</td></tr></table></div><script src="/main.3a2f.js"></script>`,
  ),
  'a comic by the server': documentOf(
    'Comic 12',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><h1>Comic 12</h1><img src="/12.png" alt="Two herons argue about a fish"><a href="/11">Back</a></div><script src="/main.3a2f.js"></script>`,
  ),
  'a film': documentOf(
    'Film',
    '<h1>The flood of 1903</h1><video controls src="/f.mp4"></video><script src="/player.js"></script><noscript>The player requires JavaScript.</noscript>',
  ),
  'a webcam': documentOf(
    'Webcam',
    '<h1>Webcam at the lower bridge</h1><img src="/now.jpg"><p>New picture each minute.</p><script>setInterval(reload, 60000)</script>',
  ),
  'a document in a frame': documentOf(
    'Report',
    '<h1>Report of 2024</h1><iframe src="/report.pdf"></iframe><script src="/count.js"></script>',
  ),
  'a tool that checks passwords': documentOf(
    'How strong is it?',
    `<h1>How strong is your password?</h1><form>${field('Try one', 'password')}<button>Check</button></form>${prose(2)}`,
  ),
  'the entry Cookie of a glossary': documentOf(
    'Cookie',
    `<h1>Cookie</h1><p>A cookie is a small text that a server sets and a browser sends back.</p><p>See also: session, header.</p><form><button>Search</button></form>`,
  ),
  'a notice about cookies': [
    documentOf(
      'Cookie notice',
      `<h1>Cookie notice</h1><p>This site sets one cookie for your language.</p><p>It sets no cookies of others.</p><form><button>Search</button></form>`,
    ),
    'https://www.example.com/legal/cookies',
  ] as const,
  'an article about data protection': documentOf(
    'Consent',
    `<article><h1>Ten years of consent banners</h1>${prose(4)}<p>Cookies and consent fill the law journals.</p></article><button>Share</button>`,
  ),
  'the manual page login': documentOf(
    'login(1)',
    `<h1>login</h1><p>login — begin a session on the system.</p><h2>Synopsis</h2><pre>login [-p] [-h host] [username]</pre>${prose(3)}`,
  ),
  'news below a login': documentOf(
    'News',
    `<header><a href="/login">Sign in</a><form class="hidden">${field('Name', 'text')}${field('Password', 'password')}</form></header><main><h1>News in brief</h1>${prose(4)}</main>`,
  ),
  'a page of an API with a noscript': documentOf(
    'Gate',
    `<noscript><div>JavaScript is disabled on your browser.</div></noscript>${navigation(8)}<h1>Class Gate</h1><pre>public class Gate extends Object</pre><p>A gate of a lock.</p><script src="script.js"></script>`,
  ),
  'better with scripts': documentOf(
    'Recipe',
    `<noscript>This page looks better with JavaScript enabled.</noscript><h1>Rye bread</h1><p>Mix, wait a night, bake for an hour.</p><script src="/a.js"></script>`,
  ),
  'comments in French': documentOf(
    'Brève',
    `<p>Le pont est fermé lundi.</p><noscript>Veuillez activer JavaScript pour voir les commentaires.</noscript><script src="/c.js"></script>`,
    'fr',
  ),
  'comments in Spanish': documentOf(
    'Breve',
    `<p>El puente está cerrado el lunes.</p><noscript>Active JavaScript para ver los comentarios.</noscript><script src="/c.js"></script>`,
    'es',
  ),
  'a poem': documentOf('Ebb', '<pre>Ebb.\nThe boats lie down\nlike dogs that wait.</pre>'),
  'an old set of frames':
    '<html><head><title>Archive</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="start.html"><noframes>Your browser shows no frames. <a href="start.html">Start</a></noframes></frameset></html>',
  'a redirect of its own': documentOf(
    'Moved',
    '<p>This page has moved to <a href="/new">another place</a>.</p>',
    'en',
    '<meta http-equiv="refresh" content="5; url=/new">',
  ),
  'a page that is missing': documentOf(
    'Not found',
    `${navigation(6)}<h1>404</h1><p>There is no page here.</p><form><input name="q"><button>Search</button></form><script src="/count.js"></script>`,
  ),
  'a contact': documentOf(
    'Contact',
    `${navigation(5)}<h1>Contact</h1><p>Archive of the dike, Lower Street 4.</p><form><label>Your e-mail <input type="email"></label><textarea></textarea><button>Send</button></form><script src="/count.js"></script>`,
  ),
  'a picture of the day': documentOf('Day', '<a href="/1"><img src="/1.jpg"></a><script async src="https://stats.example/s.js"></script>'),
  'a list of downloads': documentOf(
    'Files',
    `<h1>Index of /files</h1><pre>${Array.from({ length: 12 }, (_, i) => `<a href="f${i}.zip">f${i}.zip</a>`).join('\n')}</pre>`,
  ),
  'a formula': documentOf(
    'Flow',
    '<h1>Flow</h1><math><mi>Q</mi><mo>=</mo><mi>v</mi><mi>A</mi></math><p>Q is the flow.</p><script src="/mathjax.js"></script>',
  ),
  'a short page in Chinese': documentOf(
    '通知',
    `${navigation(4)}<h1>通知</h1><p>图书馆周一闭馆，周二照常开放。</p><script src="/count.js"></script>`,
    'zh',
  ),
  'a short page in Japanese': documentOf('お知らせ', '<h1>お知らせ</h1><p>月曜日は閉館します。</p><script src="/count.js"></script>', 'ja'),
  'documents of a library of scripts': documentOf(
    'tide.js',
    `<h1>tide.js</h1><p>A library for tides. It requires JavaScript 2020 and no other library.</p><pre>import { tide } from 'tide'</pre><script src="/prism.js"></script>`,
  ),
  'words about a registration': documentOf(
    'Join',
    `${navigation(5)}<h1>Become a member</h1>${prose(3)}<p><a href="/register">Register</a> or <a href="/login">sign in</a>.</p>`,
  ),
  'a calendar': documentOf(
    'May',
    `<h1>May</h1><table>${Array.from({ length: 5 }, (_, w) => `<tr>${Array.from({ length: 7 }, (_, d) => `<td>${w * 7 + d + 1}</td>`).join('')}</tr>`).join('')}</table><script src="/cal.js"></script>`,
  ),
  'a noscript with a pixel': documentOf(
    'Mill',
    `<noscript><img height="1" width="1" src="/p.gif"></noscript><p>The mill is open on Sundays.</p><script src="/p.js"></script>`,
  ),
};

export const SECOND_PAGES = [
  ...labelled('needs-javascript', 'tuned', SHELLS),
  ...labelled('login', 'tuned', LOGINS),
  ...labelled('consent-wall', 'tuned', CONSENTS),
  ...labelled('page', 'tuned', PAGES),
];
