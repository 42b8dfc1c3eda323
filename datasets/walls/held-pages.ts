/** Made-up pages that no rule was tuned on: they were written after the last change of a rule. Other frameworks, languages and words than the tuned ones. */
import { documentOf, labelled, navigation, prose } from './labelled-page.ts';

const script = (src: string) => `<script src="${src}"></script>`;

const SHELLS = {
  'React in Italian': documentOf(
    'Atlante',
    `<noscript>Per utilizzare questa applicazione è necessario abilitare JavaScript.</noscript><div id="root"></div>${script('/static/js/main.aa1.js')}`,
    'it',
  ),
  'Vue with its templates': documentOf(
    'Reeds',
    `<div id="app" v-cloak><h1>{{ title }}</h1><p>{{ summary }}</p></div>${script('/vue.global.js')}${script('/reeds.js')}`,
  ),
  'AngularJS with a view': documentOf('Locks', `<div ng-app="locks"><div ng-view></div></div>${script('/angular.min.js')}`),
  'AngularJS with templates': documentOf(
    'Locks',
    `<div ng-app="locks" ng-controller="List"><ul><li ng-repeat="lock in locks">{{lock.name}}: {{lock.year}}</li></ul></div>${script('/angular.min.js')}`,
  ),
  htmx: documentOf(
    'Stations',
    `${navigation(6)}<h1>Stations</h1><div hx-get="/stations" hx-trigger="load"></div>${script('/htmx.min.js')}<noscript>This page needs JavaScript.</noscript>`,
  ),
  jQuery: documentOf(
    'Stations',
    `<h1>Stations</h1><div id="stations"></div>${script('/jquery.min.js')}<script>$('#stations').load('/stations.html')</script>`,
  ),
  'a banner about cookies over a root': documentOf(
    'Atlas',
    `<div class="cookie">This site uses cookies for statistics. <button>OK</button></div><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>${script('/main.77c.js')}`,
  ),
  'Next with a skeleton': documentOf(
    'Levels',
    `<div id="__next"><div class="skeleton"></div><div class="skeleton"></div><span class="sr-only">Loading</span></div>${script('/_next/static/chunks/webpack-1.js')}`,
  ),
  'a file of an office': documentOf(
    'Untitled',
    `<noscript><div>JavaScript isn't enabled in your browser, so this file can't be opened. Enable and reload.</div></noscript><div id="docs-editor-container"></div>${script('/office.js')}`,
  ),
  'a message of a network': documentOf(
    'Post',
    `<div id="react-root"></div><noscript><h1>JavaScript is not available.</h1><p>We've detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue.</p><p><a href="/help">Help</a> <a href="/terms">Terms</a></p></noscript>${script('/main.9b.js')}`,
  ),
  'a player of films': documentOf(
    'Film',
    `<film-app></film-app><script>var initialData = ${JSON.stringify({ items: Array.from({ length: 80 }, (_, i) => ({ id: i, title: 'a title of a film' })) })};</script>${script('/desktop.js')}`,
  ),
  'notes of a team': documentOf(
    'Notes',
    `<div id="notes-app"></div>${script('/_assets/app-9c.js')}<noscript>JavaScript must be enabled in order to use Notes.</noscript>`,
  ),
  Shiny: documentOf(
    'Catch',
    `<div class="container-fluid"><h2>Catch by year</h2><div class="col-sm-4"><label>Year</label></div><div class="col-sm-8"><div id="plot" class="shiny-plot-output"></div></div></div>${script('shiny.min.js')}<noscript>This application requires JavaScript.</noscript>`,
  ),
  Streamlit: documentOf(
    'Catch',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script type="module" src="./static/js/index.B2.js"></script>`,
  ),
  'a script that redirects': documentOf('', '<script>location.replace("/de/" + location.hash)</script>'),
  'a map over the whole page': documentOf(
    'Map of the dunes',
    `<div id="map" style="height:100vh"></div>${script('/leaflet.js')}<script>L.map('map')</script>`,
  ),
  'in Finnish': documentOf(
    'Padot',
    `<noscript>Ota JavaScript käyttöön, jotta voit käyttää tätä sivua.</noscript><div id="app"></div>${script('/a.js')}`,
    'fi',
  ),
  'in Hungarian': documentOf(
    'Gátak',
    `<noscript>Az oldal használatához engedélyezze a JavaScriptet.</noscript><div id="root"></div>${script('/a.js')}`,
    'hu',
  ),
  'in Turkish': documentOf(
    'Bentler',
    `<noscript>Bu uygulamayı çalıştırmak için JavaScript'i etkinleştirmeniz gerekir.</noscript><div id="root"></div>${script('/a.js')}`,
    'tr',
  ),
  'in Arabic': documentOf(
    'السدود',
    `<noscript>يجب تفعيل JavaScript لتشغيل هذا التطبيق.</noscript><div id="root"></div>${script('/a.js')}`,
    'ar',
  ),
  'a visible message in Swedish': documentOf(
    'Dammar',
    `<div class="message">Du måste aktivera JavaScript för att se den här sidan.</div><main></main>${script('/a.js')}`,
    'sv',
  ),
  'a catalogue with its frame': documentOf(
    'Catalogue',
    `<header><a href="/">Catalogue</a><form><input name="q" type="text"><button>Search</button></form></header><div id="app"></div><footer><a href="/imprint">Imprint</a></footer>${script('/js/chunk-vendors.1.js')}`,
  ),
  'a reader of books': documentOf(
    'Book',
    `<div class="spinner" id="viewer"></div>${script('/epub.js')}<noscript><p>The reader of books works with JavaScript only.</p></noscript>`,
  ),
  'a form that a script builds': documentOf(
    'Survey',
    `<div id="survey-root" data-id="4"></div>${script('https://survey.example/embed.js')}`,
  ),
};

const input = (type: string, name: string) => `<input type="${type}" name="${name}" placeholder="${name}">`;
const loginOf = (title: string, words: readonly string[], lang: string) =>
  documentOf(
    title,
    `<section><h1>${title}</h1>${words
      .slice(2)
      .map((line) => `<p>${line}</p>`)
      .join(
        '',
      )}<form method="post">${input('text', words[0] ?? '')}${input('password', words[1] ?? '')}<button type="submit">${title}</button></form></section>`,
    lang,
  );

const LOGINS = {
  Finnish: loginOf('Kirjaudu sisään', ['Käyttäjätunnus', 'Salasana'], 'fi'),
  Norwegian: loginOf('Logg inn', ['Brukernavn', 'Passord', 'Arkivet er for medlemmer.'], 'no'),
  Danish: loginOf('Log ind', ['Brugernavn', 'Adgangskode'], 'da'),
  Hungarian: loginOf('Bejelentkezés', ['Felhasználónév', 'Jelszó'], 'hu'),
  Romanian: loginOf('Autentificare', ['Utilizator', 'Parolă'], 'ro'),
  Ukrainian: loginOf('Вхід', ['Логін', 'Пароль'], 'uk'),
  Arabic: loginOf('تسجيل الدخول', ['اسم المستخدم', 'كلمة المرور'], 'ar'),
  Hebrew: loginOf('התחברות', ['שם משתמש', 'סיסמה'], 'he'),
  'a board for members': documentOf(
    'Dike board - User control panel - Login',
    `${navigation(14)}<form method="post"><h2>Login</h2><p>The board requires you to be registered and logged in to view this forum.</p>${input('text', 'Username')}${input('password', 'Password')}<label><input type="checkbox"> Log me on automatically</label><input type="submit" value="Login"></form><h3>Register</h3><p>In order to login you must be registered. Registering takes only a few moments but gives you more rights. The administrator may also grant additional permissions to registered users.</p>`,
  ),
  'courses of a school': [
    documentOf(
      'Courses: Log in to the site',
      `<h2>Courses</h2><form>${input('text', 'Username')}${input('password', 'Password')}<button>Log in</button></form><a href="/lost">Lost password?</a><h3>Some courses may allow guest access</h3><button>Access as a guest</button>`,
    ),
    'https://courses.example.com/login/index.php',
  ] as const,
  'an administration': [
    documentOf(
      'Log in | Site admin',
      `<h1>Site administration</h1><form>${input('text', 'Username')}${input('password', 'Password')}<input type="submit" value="Log in"></form>`,
    ),
    'https://www.example.com/admin/login/?next=/admin/',
  ] as const,
  'a wiki': [
    documentOf(
      'Log in - Wiki',
      `${navigation(12)}<main><h1>Log in</h1><p>You must log in to view other pages.</p><form>${input('text', 'Username')}${input('password', 'Password')}<button>Log in</button></form></main>`,
    ),
    'https://wiki.example.com/index.php?title=Special:UserLogin&returnto=Item+4',
  ] as const,
  'a code by mail': [
    documentOf(
      'Check your mail',
      `<h1>Sign in</h1><p>We send a code to your address.</p><form><input type="email"><button>Send code</button></form>`,
    ),
    'https://www.example.com/sign-in?redirect_url=%2Fitem%2F4',
  ] as const,
  'an answer of SAML': documentOf(
    '',
    '<form action="https://www.example.com/acs" method="post"><input type="hidden" name="SAMLResponse" value="PD94"><input type="hidden" name="RelayState" value="x"><noscript>Press the button.<button>Continue</button></noscript></form><script>document.forms[0].submit()</script>',
  ),
};

const choices = (...names: readonly string[]) => names.map((name) => `<button>${name}</button>`).join(' ');
const wall = (title: string, first: string, second: string, names: readonly string[], lang: string) =>
  documentOf(title, `<div class="cmp"><h2>${title}</h2><p>${first}</p><p>${second}</p>${choices(...names)}</div>`, lang);

const CONSENTS = {
  Finnish: wall(
    'Yksityisyytesi',
    'Käytämme evästeitä (cookies) sivuston kehittämiseen.',
    'Voit hyväksyä tai hylätä cookies-tiedostot.',
    ['Hyväksy', 'Hylkää'],
    'fi',
  ),
  Norwegian: wall(
    'Ditt personvern',
    'Vi og våre partnere bruker informasjonskapsler (cookies).',
    'Du kan trekke ditt samtykke til cookies.',
    ['Godta', 'Avslå'],
    'no',
  ),
  Hungarian: wall('Adatvédelem', 'Oldalunk cookie-kat használ.', 'A cookie-k elfogadása szükséges a folytatáshoz.', ['Elfogadom'], 'hu'),
  Romanian: wall(
    'Confidențialitate',
    'Folosim cookie-uri proprii și ale partenerilor.',
    'Poți accepta sau refuza aceste cookie-uri.',
    ['Accept', 'Refuz'],
    'ro',
  ),
  Turkish: wall(
    'Gizliliğiniz',
    'Sitemizde çerezler (cookie) kullanılır.',
    'Cookie kullanımını kabul edebilir veya reddedebilirsiniz.',
    ['Kabul et', 'Reddet'],
    'tr',
  ),
  Korean: wall('개인정보', '이 사이트는 쿠키를 사용합니다.', '쿠키 사용에 동의해 주세요.', ['동의'], 'ko'),
  Slovak: wall('Súkromie', 'Používame súbory cookie.', 'Súhlas so súbormi cookie môžete odvolať.', ['Súhlasím', 'Odmietam'], 'sk'),
  'before a search': [
    documentOf(
      'Bevor Sie fortfahren',
      `<h1>Bevor Sie fortfahren</h1><p>Wir verwenden Cookies und Daten, um Dienste bereitzustellen, und um Ausfälle zu prüfen.</p><ul><li>Wenn Sie alle akzeptieren, verwenden wir Cookies auch für Werbung.</li></ul><form>${choices('Alle ablehnen', 'Alle akzeptieren')}</form>`,
      'de',
    ),
    'https://consent.example.com/m?continue=https://www.example.com/',
  ] as const,
  'a portal of mail': [
    documentOf(
      'Yes',
      `<h1>Your portal is part of a family of brands</h1><p>If you click accept, we and 237 partners will use cookies to store and access information.</p>${choices('Accept all', 'Reject all', 'Manage')}`,
    ),
    'https://consent.example.com/v2/collectConsent?sessionId=3_cc',
  ] as const,
  'a newspaper in French': wall(
    'Lisez gratuitement',
    'Accéder gratuitement au site en acceptant les cookies publicitaires.',
    'Ou abonnez-vous pour lire sans cookies.',
    ['Accepter et continuer', "S'abonner"],
    'fr',
  ),
  'we value your privacy': wall(
    'We value your privacy',
    'We and our 812 vendors store and access information on a device, such as cookies, and process personal data.',
    'With your permission we may use precise location. Your consent applies to this site only.',
    ['DISAGREE', 'AGREE'],
    'en',
  ),
  'a broadcaster in Dutch': wall(
    'Cookies',
    'Om deze pagina te tonen vragen we toestemming voor cookies.',
    'Zonder cookies zie je geen ingesloten berichten.',
    ['Toestaan'],
    'nl',
  ),
};

const PAGES = {
  'a stub of an encyclopedia': documentOf(
    'Sluice',
    `${navigation(16)}<main id="content"><h1>Sluice</h1><p>A sluice is a channel with a gate that controls the flow of water.</p></main>${script('/load.php')}`,
  ),
  'a repository that is missing': documentOf(
    'Page not found',
    `<h1>404</h1><p>This is not the page that you are looking for.</p><a href="/">Home</a>${script('/assets/app-3d.js')}`,
  ),
  'an abstract': documentOf(
    'Flow in weirs',
    `<h1>Flow in weirs</h1><blockquote>${prose(1)}</blockquote><a href="/4.pdf">PDF</a>${script('/mathjax.js')}`,
  ),
  'a thread with a login below it': documentOf(
    'Which reed?',
    `<h1>Which reed?</h1>${prose(3)}<form><h3>Quick login</h3>${input('text', 'Name')}${input('password', 'Password')}<button>Login</button></form>`,
  ),
  'a product with few words below a login': documentOf(
    'Spade',
    `<header><form>${input('email', 'E-mail')}${input('password', 'Password')}<button>Sign in</button></form></header><main><h1>Peat spade</h1><img src="/s.jpg" alt="A spade with a long blade"><p>Ash handle, forged blade, 1.2 kg. Ships in two days.</p><button>Add to cart</button></main>`,
  ),
  'a product by React': documentOf(
    'Spade',
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"><nav><a href="/">Shop</a></nav><h1>Peat spade</h1><ul><li>Ash handle</li><li>Forged blade</li><li>1.2 kg</li><li>Made in the village</li></ul><span>39.00</span></div>${script('/main.9.js')}`,
  ),
  'a photograph of the press': documentOf(
    'Press',
    '<figure><img src="/p.jpg" alt=""><figcaption>The new lock, May 2024. Photo: M. Reed</figcaption></figure>',
  ),
  'a song': documentOf(
    'Song',
    `<h1>Low water</h1><audio controls src="/l.mp3"></audio><p>Recorded on the dike.</p>${script('/player.js')}`,
  ),
  'a slide': documentOf(
    'Slide 3',
    `<section><h2>Three causes</h2><ul><li>Storm</li><li>Neglect</li><li>Rabbits</li></ul></section>${script('/reveal.js')}`,
  ),
  'a short manual': documentOf(
    'tide(1)',
    `<h1>tide</h1><pre>tide [-h] STATION</pre><p>Prints the next high water.</p>${script('/prism.js')}`,
  ),
  'a greeting': documentOf('Hello', '<p>Hello, world.</p>'),
  'a page by Astro': documentOf(
    'Walk',
    `<main><h1>Walk along the dike</h1><p>Start at the lower bridge and follow the white posts.</p><astro-island></astro-island></main><script type="module" src="/_astro/hoisted.B1.js"></script>`,
  ),
  'an advertisement of a job': documentOf('Lock keeper', `<h1>Lock keeper wanted</h1>${prose(2)}<a href="/apply">Apply</a>`),
  'an empty cart': documentOf(
    'Cart',
    `${navigation(7)}<main><h1>Your cart</h1><p>Your cart is empty.</p><a href="/shop">Go to the shop</a></main>${script('/cart.js')}`,
  ),
  'help about scripts': documentOf(
    'Help',
    `<h1>The page stays empty</h1><p>Most readers have to enable JavaScript in the settings of their browser.</p><ol><li>Open the menu.</li><li>Choose JavaScript, and allow it for this site.</li></ol>${script('/count.js')}`,
  ),
  'a law about consent': documentOf(
    'Article 7',
    `<h1>Article 7: conditions for consent</h1><p>Where processing is based on consent, the controller shall be able to demonstrate that the person has consented.</p><p>Withdrawing consent shall be as easy as giving it.</p>`,
  ),
  'a newsletter': documentOf(
    'Newsletter',
    `<h1>Newsletter</h1><p>News of the archive, four times a year.</p><form><input type="email"><button>Subscribe</button></form>${script('/f.js')}`,
  ),
  'the rules of a game': documentOf(
    'Game',
    `<h1>Nine men</h1><p>Two players set stones in turn. Three in a row take one stone of the other.</p><div id="root"></div>${script('/game.4a.js')}`,
  ),
  'the weather': documentOf(
    'Weather',
    `<h1>Weather at the lower bridge</h1><table><tr><th>Today</th><td>14 °C</td><td>Rain</td></tr><tr><th>Tomorrow</th><td>17 °C</td><td>Sun</td></tr></table>${script('/w.js')}`,
  ),
  'a timetable': documentOf(
    'Bus 12',
    `<table>${Array.from({ length: 14 }, (_, i) => `<tr><td>Lower bridge</td><td>${6 + i}:12</td></tr>`).join('')}</table>${script('/count.js')}`,
  ),
  'short news in Chinese': documentOf('新闻', `<h1>水位下降</h1><p>河水水位今天下降了二十厘米，渡船恢复通航。</p>${script('/a.js')}`, 'zh'),
  'the members of a club': documentOf(
    'Members',
    `<h1>Members</h1><ul>${'<li>M. Reed, since 1999</li><li>O. Alder, since 2004</li>'.repeat(6)}</ul><a href="/login">Log in</a>`,
  ),
  'a table of logins': documentOf(
    'Logins',
    `<h1>Logins by day</h1><table>${Array.from({ length: 20 }, (_, i) => `<tr><td>Day ${i + 1}</td><td>${300 + i} logins</td></tr>`).join('')}</table>`,
  ),
  'a recipe in German with a banner': documentOf(
    'Brot',
    `<div>Wir verwenden Cookies. <button>OK</button></div><h1>Roggenbrot</h1><p>Mehl und Wasser mischen, eine Nacht warten, eine Stunde backen.</p>`,
    'de',
  ),
  'comments in German': documentOf(
    'Kurz',
    `<p>Die Brücke ist am Montag gesperrt.</p><noscript>Bitte aktivieren Sie JavaScript, um die Kommentare zu sehen.</noscript>${script('/c.js')}`,
    'de',
  ),
  'a gallery by scripts': documentOf(
    'Herons',
    `<h1>Herons of 2024</h1><a href="/1.jpg"><img src="/1s.jpg"></a><a href="/2.jpg"><img src="/2s.jpg"></a>${script('/lightbox.js')}`,
  ),
  'a page that says moved': documentOf(
    'Moved',
    `<h1>We have moved</h1><p>The archive is now at <a href="https://new.example/">new.example</a>.</p>${script('/count.js')}`,
  ),
  'a poem in Greek': documentOf('Ποίημα', '<pre>Η θάλασσα κοιμάται\nκαι τα σκαριά μαζί.</pre>', 'el'),
  'an index by letters': documentOf(
    'Index',
    `<p>${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
      .split('')
      .map((letter) => `<a href="/${letter}">${letter}</a>`)
      .join(' ')}</p>${script('/count.js')}`,
  ),
  'a privacy statement': [
    documentOf(
      'Privacy',
      `<h1>Privacy</h1><p>We keep no personal data of readers. We set no cookies.</p><p>Mails are deleted after a year.</p><form><button>Search</button></form>`,
    ),
    'https://www.example.com/privacy',
  ] as const,
};

export const HELD_PAGES = [
  ...labelled('needs-javascript', 'held', SHELLS),
  ...labelled('login', 'held', LOGINS),
  ...labelled('consent-wall', 'held', CONSENTS),
  ...labelled('page', 'held', PAGES),
];
