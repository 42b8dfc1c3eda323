/**
 * Our own sentences in the charsets of the web. The bytes come from the tables of GNU libc (`iconv -f UTF-8 -t NAME`), not from the decoder
 * that is tested with them.
 */
export interface CharsetSample {
  /** The label that a page declares. */
  readonly label: string;
  readonly text: string;
  readonly base64: string;
}

// biome-ignore format: a sample a paragraph
export const CHARSET_SAMPLES: readonly CharsetSample[] = [
  {
    label: 'utf-8',
    text: 'Міська бібліотека відкрита щодня. Вчора я взяв книжку про черепах і гусей, яку написала відома письменниця з Їжакова. Її ґанок видно з вулиці, є й інші джерела. 市立図書館は毎日開いています。昨日、カメとガチョウについての本を借りました。有名な作家が書いたもので、とても面白いです。出典は巻末にあります。',
    base64:
      '0JzRltGB0YzQutCwINCx0ZbQsdC70ZbQvtGC0LXQutCwINCy0ZbQtNC60YDQuNGC0LAg0YnQvtC00L3Rjy4g0JLRh9C+0YDQsCDRjyDQstC30Y/QsiDQutC9' +
      '0LjQttC60YMg0L/RgNC+INGH0LXRgNC10L/QsNGFINGWINCz0YPRgdC10LksINGP0LrRgyDQvdCw0L/QuNGB0LDQu9CwINCy0ZbQtNC+0LzQsCDQv9C40YHR' +
      'jNC80LXQvdC90LjRhtGPINC3INCH0LbQsNC60L7QstCwLiDQh9GXINKR0LDQvdC+0Log0LLQuNC00L3QviDQtyDQstGD0LvQuNGG0ZYsINGUINC5INGW0L3R' +
      'iNGWINC00LbQtdGA0LXQu9CwLiDluILnq4vlm7Pmm7jppKjjga/mr47ml6XplovjgYTjgabjgYTjgb7jgZnjgILmmKjml6XjgIHjgqvjg6Hjgajjgqzjg4Hj' +
      'g6fjgqbjgavjgaTjgYTjgabjga7mnKzjgpLlgJ/jgorjgb7jgZfjgZ/jgILmnInlkI3jgarkvZzlrrbjgYzmm7jjgYTjgZ/jgoLjga7jgafjgIHjgajjgabj' +
      'goLpnaLnmb3jgYTjgafjgZnjgILlh7rlhbjjga/lt7vmnKvjgavjgYLjgorjgb7jgZnjgII=',
  },
  {
    label: 'utf-16le',
    text: 'Městská knihovna je otevřena každý den. Včera jsem si půjčil knihu o želvách a husách, kterou napsala známá spisovatelka z Třebíče. Zdroje jsou uvedeny na konci.',
    base64:
      'TQAbAXMAdABzAGsA4QAgAGsAbgBpAGgAbwB2AG4AYQAgAGoAZQAgAG8AdABlAHYAWQFlAG4AYQAgAGsAYQB+AWQA/QAgAGQAZQBuAC4AIABWAA0BZQByAGEA' +
      'IABqAHMAZQBtACAAcwBpACAAcABvAWoADQFpAGwAIABrAG4AaQBoAHUAIABvACAAfgFlAGwAdgDhAGMAaAAgAGEAIABoAHUAcwDhAGMAaAAsACAAawB0AGUA' +
      'cgBvAHUAIABuAGEAcABzAGEAbABhACAAegBuAOEAbQDhACAAcwBwAGkAcwBvAHYAYQB0AGUAbABrAGEAIAB6ACAAVABZAWUAYgDtAA0BZQAuACAAWgBkAHIA' +
      'bwBqAGUAIABqAHMAbwB1ACAAdQB2AGUAZABlAG4AeQAgAG4AYQAgAGsAbwBuAGMAaQAuAA==',
  },
  {
    label: 'utf-16be',
    text: 'Městská knihovna je otevřena každý den. Včera jsem si půjčil knihu o želvách a husách, kterou napsala známá spisovatelka z Třebíče. Zdroje jsou uvedeny na konci.',
    base64:
      'AE0BGwBzAHQAcwBrAOEAIABrAG4AaQBoAG8AdgBuAGEAIABqAGUAIABvAHQAZQB2AVkAZQBuAGEAIABrAGEBfgBkAP0AIABkAGUAbgAuACAAVgENAGUAcgBh' +
      'ACAAagBzAGUAbQAgAHMAaQAgAHABbwBqAQ0AaQBsACAAawBuAGkAaAB1ACAAbwAgAX4AZQBsAHYA4QBjAGgAIABhACAAaAB1AHMA4QBjAGgALAAgAGsAdABl' +
      'AHIAbwB1ACAAbgBhAHAAcwBhAGwAYQAgAHoAbgDhAG0A4QAgAHMAcABpAHMAbwB2AGEAdABlAGwAawBhACAAegAgAFQBWQBlAGIA7QENAGUALgAgAFoAZABy' +
      'AG8AagBlACAAagBzAG8AdQAgAHUAdgBlAGQAZQBuAHkAIABuAGEAIABrAG8AbgBjAGkALg==',
  },
  {
    label: 'windows-1250',
    text: 'Městská knihovna je otevřena každý den. Včera jsem si půjčil knihu o želvách a husách, kterou napsala známá spisovatelka z Třebíče. Zdroje jsou uvedeny na konci. “Želva” – 5 €…',
    base64:
      'TexzdHNr4SBrbmlob3ZuYSBqZSBvdGV2+GVuYSBrYZ5k/SBkZW4uIFboZXJhIGpzZW0gc2kgcPlq6GlsIGtuaWh1IG8gnmVsduFjaCBhIGh1c+FjaCwga3Rl' +
      'cm91IG5hcHNhbGEgem7hbeEgc3Bpc292YXRlbGthIHogVPhlYu3oZS4gWmRyb2plIGpzb3UgdXZlZGVueSBuYSBrb25jaS4gk45lbHZhlCCWIDUggIU=',
  },
  {
    label: 'windows-1251',
    text: 'Городская библиотека открыта каждый день. Вчера я взял книгу о черепахах и гусях, которую написала известная писательница. Источники указаны в конце. “Гуси” – 5 €…',
    base64:
      'w+7w7uTx6uD/IOHo4evo7vLl6uAg7vLq8Pvy4CDq4Obk++kg5OXt/C4gwvfl8OAg/yDi5//rIOrt6OPzIO4g9+Xw5e/g9eD1IOgg4/Px//UsIOru8u7w8/4g' +
      '7eDv6PHg6+Ag6Ofi5fHy7eD/IO/o8eDy5ev87ej24C4gyPHy7vft6OroIPPq4Ofg7fsg4iDq7u325S4gk8Pz8eiUIJYgNSCIhQ==',
  },
  {
    label: 'windows-1252',
    text: 'The town library is open every day – “even on Sundays”, the notice says. A day’s loan costs 2 €, a coffee at Zoë’s café a little more… La bibliothèque est ouverte tous les jours. Hier, j’ai emprunté un livre sur les tortues, écrit par une romancière très connue. Où sont les sources ? À la fin, naturellement.',
    base64:
      'VGhlIHRvd24gbGlicmFyeSBpcyBvcGVuIGV2ZXJ5IGRheSCWIJNldmVuIG9uIFN1bmRheXOULCB0aGUgbm90aWNlIHNheXMuIEEgZGF5knMgbG9hbiBjb3N0' +
      'cyAyIIAsIGEgY29mZmVlIGF0IFpv65JzIGNhZukgYSBsaXR0bGUgbW9yZYUgTGEgYmlibGlvdGjocXVlIGVzdCBvdXZlcnRlIHRvdXMgbGVzIGpvdXJzLiBI' +
      'aWVyLCBqkmFpIGVtcHJ1bnTpIHVuIGxpdnJlIHN1ciBsZXMgdG9ydHVlcywg6WNyaXQgcGFyIHVuZSByb21hbmNp6HJlIHRy6HMgY29ubnVlLiBP+SBzb250' +
      'IGxlcyBzb3VyY2VzID8gwCBsYSBmaW4sIG5hdHVyZWxsZW1lbnQu',
  },
  {
    label: 'windows-1253',
    text: 'Η δημοτική βιβλιοθήκη είναι ανοιχτή κάθε μέρα. Χθες δανείστηκα ένα βιβλίο για χελώνες και χήνες, γραμμένο από μια γνωστή συγγραφέα. Οι πηγές βρίσκονται στο τέλος. Η Άννα είπε: «Έλα!» “Χήνα” – 5 €…',
    base64:
      'xyDk5+zv9Onq3iDi6eLr6e/o3urnIOXf7eHpIOHt7+n39N4g6tzo5SDs3fHhLiDX6OXyIOTh7eXf8/Tn6uEg3e3hIOLp4uvf7yDj6eEg9+Xr/u3l8iDq4ekg' +
      '997t5fIsIOPx4ezs3e3vIOHw/CDs6eEg4+358/TeIPP14+Px4fbd4S4gz+kg8Ofj3fIg4vHf8+rv7fTh6SDz9O8g9N3r7/IuIMcgou3t4SDl3/DlOiCruOvh' +
      'Ibsgk9fe7eGUIJYgNSCAhQ==',
  },
  {
    label: 'windows-1254',
    text: 'Şehir kütüphanesi her gün açıktır. Dün ünlü bir yazarın kaplumbağalar ve kazlar hakkında yazdığı kitabı ödünç aldım. Kaynaklar sonunda gösterilmiştir, ışığı söndürmeyi unutmayın. “Kaz” – 5 €…',
    base64:
      '3mVoaXIga/x0/HBoYW5lc2kgaGVyIGf8biBh5/1rdP1yLiBE/G4g/G5s/CBiaXIgeWF6YXL9biBrYXBsdW1iYfBhbGFyIHZlIGthemxhciBoYWtr/W5kYSB5' +
      'YXpk/fD9IGtpdGFi/SD2ZPxu5yBhbGT9bS4gS2F5bmFrbGFyIHNvbnVuZGEgZ/ZzdGVyaWxtaf50aXIsIP3+/fD9IHP2bmT8cm1leWkgdW51dG1hef1uLiCT' +
      'S2F6lCCWIDUggIU=',
  },
  {
    label: 'windows-1255',
    text: 'הספרייה העירונית פתוחה בכל יום. אתמול שאלתי ספר על צבים ואווזים שכתבה סופרת ידועה. המקורות מופיעים בסוף הספר. “אווז” – 5 €…',
    base64:
      '5PH0+Onp5CDk8un45fDp+iD0+uXn5CDh6+wg6eXtLiDg+u7l7CD54Oz66SDx9Pgg8uwg9uHp7SDl4OXl5untIPnr+uHkIPHl9Pj6IOnj5fLkLiDk7vfl+OX6' +
      'IO7l9Ony6e0g4fHl8yDk8fT4LiCT4OXl5pQgliA1IICF',
  },
  {
    label: 'windows-1256',
    text: 'المكتبة العامة مفتوحة كل يوم. استعرت أمس كتابا عن السلاحف والإوز كتبته كاتبة معروفة. المصادر مذكورة في نهاية الكتاب. “إوزة” – 5 €…',
    base64:
      'x+Hj38rIySDH4drH48kg493K5s3JIN/hIO3m4y4gx9PK2tHKIMPj0yDfysfIxyDa5CDH4dPhx83dIObH4cXm0iDfysjK5SDfx8rIySDj2tHm3ckuIMfh49XH' +
      'z9Eg49Df5tHJIN3tIOTlx+3JIMfh38rHyC4gk8Xm0smUIJYgNSCAhQ==',
  },
  {
    label: 'windows-1257',
    text: 'Miesto biblioteka atidaryta kiekvieną dieną. Vakar pasiėmiau knygą apie vėžlius ir žąsis, kurią parašė žinoma rašytoja iš Šiaulių. Šaltiniai nurodyti pabaigoje. “Žąsis” – 5 €…',
    base64:
      'TWllc3RvIGJpYmxpb3Rla2EgYXRpZGFyeXRhIGtpZWt2aWVu4CBkaWVu4C4gVmFrYXIgcGFzaettaWF1IGtueWfgIGFwaWUgduv+bGl1cyBpciD+4HNpcywg' +
      'a3VyaeAgcGFyYfDrIP5pbm9tYSByYfB5dG9qYSBp8CDQaWF1bGn4LiDQYWx0aW5pYWkgbnVyb2R5dGkgcGFiYWlnb2plLiCT3uBzaXOUIJYgNSCAhQ==',
  },
  {
    label: 'windows-1258',
    text: 'Thư viện thành phố mở cửa mỗi ngày. Hôm qua tôi đã mượn một cuốn sách về rùa và ngỗng do một nữ nhà văn nổi tiếng viết. Nguồn được ghi ở cuối sách. “Ngỗng” – 5 €…',
    base64:
      'VGj9IHZp6vJuIHRo4G5oIHBo9OwgbfXSIGP90mEgbfTeaSBuZ+B5LiBI9G0gcXVhIHT0aSDwYd4gbf318m4gbfTydCBjdfTsbiBz4WNoIHbqzCBy+WEgduAg' +
      'bmf03m5nIGRvIG308nQgbv3eIG5o4CB2424gbvTSaSB0aersbmcgdmnq7HQuIE5ndfTMbiDw/fXyYyBnaGkg9dIgY3X07Gkgc+FjaC4gk05n9N5uZ5QgliA1' +
      'IICF',
  },
  {
    label: 'iso-8859-1',
    text: 'La bibliothèque est ouverte tous les jours. Hier, j\'ai emprunté un livre sur les tortues, écrit par une romancière très connue. Où sont les sources ? À la fin, naturellement.',
    base64:
      'TGEgYmlibGlvdGjocXVlIGVzdCBvdXZlcnRlIHRvdXMgbGVzIGpvdXJzLiBIaWVyLCBqJ2FpIGVtcHJ1bnTpIHVuIGxpdnJlIHN1ciBsZXMgdG9ydHVlcywg' +
      '6WNyaXQgcGFyIHVuZSByb21hbmNp6HJlIHRy6HMgY29ubnVlLiBP+SBzb250IGxlcyBzb3VyY2VzID8gwCBsYSBmaW4sIG5hdHVyZWxsZW1lbnQu',
  },
  {
    label: 'iso-8859-2',
    text: 'Biblioteka miejska jest otwarta codziennie. Wypożyczyłem wczoraj książkę o żółwiach i gęsiach, którą napisała znana pisarka z Łodzi. Źródła są podane na końcu.',
    base64:
      'QmlibGlvdGVrYSBtaWVqc2thIGplc3Qgb3R3YXJ0YSBjb2R6aWVubmllLiBXeXBvv3ljenmzZW0gd2N6b3JhaiBrc2mxv2vqIG8gv/Ozd2lhY2ggaSBn6nNp' +
      'YWNoLCBrdPNysSBuYXBpc2GzYSB6bmFuYSBwaXNhcmthIHogo29kemkuIKxy82SzYSBzsSBwb2RhbmUgbmEga2/xY3Uu',
  },
  {
    label: 'iso-8859-5',
    text: 'Городская библиотека открыта каждый день. Вчера я взял книгу о черепахах и гусях, которую написала известная писательница. Источники указаны в конце.',
    base64:
      's97g3tTh2tDvINHY0dvY3uLV2tAg3uLa4Ovi0CDa0NbU69kg1NXd7C4gsufV4NAg7yDS1+/bINrd2NPjIN4g59Xg1d/Q5dDlINgg0+Ph7+UsINre4t7g4+4g' +
      '3dDf2OHQ29Ag2NfS1eHi3dDvIN/Y4dDi1dvs3djm0C4guOHi3ufd2NrYIOPa0NfQ3esg0iDa3t3m1S4=',
  },
  {
    label: 'iso-8859-7',
    text: 'Η δημοτική βιβλιοθήκη είναι ανοιχτή κάθε μέρα. Χθες δανείστηκα ένα βιβλίο για χελώνες και χήνες, γραμμένο από μια γνωστή συγγραφέα. Οι πηγές βρίσκονται στο τέλος. Η Άννα είπε: «Έλα!»',
    base64:
      'xyDk5+zv9Onq3iDi6eLr6e/o3urnIOXf7eHpIOHt7+n39N4g6tzo5SDs3fHhLiDX6OXyIOTh7eXf8/Tn6uEg3e3hIOLp4uvf7yDj6eEg9+Xr/u3l8iDq4ekg' +
      '997t5fIsIOPx4ezs3e3vIOHw/CDs6eEg4+358/TeIPP14+Px4fbd4S4gz+kg8Ofj3fIg4vHf8+rv7fTh6SDz9O8g9N3r7/IuIMcgtu3t4SDl3/DlOiCruOvh' +
      'Ibs=',
  },
  {
    label: 'iso-8859-8',
    text: 'הספרייה העירונית פתוחה בכל יום. אתמול שאלתי ספר על צבים ואווזים שכתבה סופרת ידועה. המקורות מופיעים בסוף הספר.',
    base64:
      '5PH0+Onp5CDk8un45fDp+iD0+uXn5CDh6+wg6eXtLiDg+u7l7CD54Oz66SDx9Pgg8uwg9uHp7SDl4OXl5untIPnr+uHkIPHl9Pj6IOnj5fLkLiDk7vfl+OX6' +
      'IO7l9Ony6e0g4fHl8yDk8fT4Lg==',
  },
  {
    label: 'iso-8859-9',
    text: 'Şehir kütüphanesi her gün açıktır. Dün ünlü bir yazarın kaplumbağalar ve kazlar hakkında yazdığı kitabı ödünç aldım. Kaynaklar sonunda gösterilmiştir, ışığı söndürmeyi unutmayın.',
    base64:
      '3mVoaXIga/x0/HBoYW5lc2kgaGVyIGf8biBh5/1rdP1yLiBE/G4g/G5s/CBiaXIgeWF6YXL9biBrYXBsdW1iYfBhbGFyIHZlIGthemxhciBoYWtr/W5kYSB5' +
      'YXpk/fD9IGtpdGFi/SD2ZPxu5yBhbGT9bS4gS2F5bmFrbGFyIHNvbnVuZGEgZ/ZzdGVyaWxtaf50aXIsIP3+/fD9IHP2bmT8cm1leWkgdW51dG1hef1uLg==',
  },
  {
    label: 'iso-8859-15',
    text: 'La bibliothèque est ouverte tous les jours. Le prêt coûte 2 € ; un œuf à la coque au café, 3 €. Sœur Agnès a écrit toute son œuvre ici, où son cœur est resté.',
    base64:
      'TGEgYmlibGlvdGjocXVlIGVzdCBvdXZlcnRlIHRvdXMgbGVzIGpvdXJzLiBMZSBwcup0IGNv+3RlIDIgpCA7IHVuIL11ZiDgIGxhIGNvcXVlIGF1IGNhZuks' +
      'IDMgpC4gU711ciBBZ27ocyBhIOljcml0IHRvdXRlIHNvbiC9dXZyZSBpY2ksIG/5IHNvbiBjvXVyIGVzdCByZXN06S4=',
  },
  {
    label: 'koi8-r',
    text: 'Городская библиотека открыта каждый день. Вчера я взял книгу о черепахах и гусях, которую написала известная писательница. Источники указаны в конце.',
    base64:
      '58/Sz8TTy8HRIMLJwszJz9TFy8Egz9TL0tnUwSDLwdbE2cogxMXO2C4g997F0sEg0SDX2tHMIMvOycfVIM8g3sXSxdDByMHIIMkgx9XT0cgsIMvP1M/S1cAg' +
      'zsHQydPBzMEgydrXxdPUzsHRINDJ08HUxczYzsnDwS4g6dPUz97OycvJINXLwdrBztkg1yDLz87DxS4=',
  },
  {
    label: 'koi8-u',
    text: 'Міська бібліотека відкрита щодня. Вчора я взяв книжку про черепах і гусей, яку написала відома письменниця з Їжакова. Її ґанок видно з вулиці, є й інші джерела.',
    base64:
      '7abT2MvBIMKmwsymz9TFy8Eg16bEy9LJ1MEg3c/EztEuIPfez9LBINEg19rR1yDLzsnWy9Ug0NLPIN7F0sXQwcggpiDH1dPFyiwg0cvVIM7B0MnTwczBINem' +
      'xM/NwSDQydPYzcXOzsnD0SDaILfWwcvP18EuILenIK3Bzs/LINfJxM7PINog19XMycOmLCCkIMogps7bpiDE1sXSxczBLg==',
  },
  {
    label: 'gb2312',
    text: '市圖書館每天開放。昨天我借了一本關於烏龜和鵝的書，作者名叫李堃，序是朱镕寫的。書的最後列出了所有資料的來源。囍',
    base64:
      'ytCIRJX48F7Dv8zs6V+3xaGj1/LM7M7SvejBy9K7sb7qUOy2nvX9lLrN+Vq1xJX4o6zX99Xfw/u90MDuiNKjrNDyysfW7OlGjJG1xKGjlfi1xNfu4eHB0LP2' +
      'wcvL+dPQ2VnBz7XEge3UtKGjh9Y=',
  },
  {
    label: 'gbk',
    text: '市图书馆每天开放。昨天我借了一本关于乌龟和鹅的书，作者是一位有名的女作家。书的最后列出了所有资料的来源，读者可以自己去查找。',
    base64:
      'ytDNvMrpud3Dv8zsv6q3xaGj1/LM7M7SvejBy9K7sb652NPaztq56rrNtuy1xMrpo6zX99XfysfSu86709DD+7XExa7X97zSoaPK6bXE1+6688HQs/bBy8v5' +
      '09DXysHPtcTAtNS0o6y2wdXfv8nS1NfUvLrIpbLp1dKhow==',
  },
  {
    label: 'gb18030',
    text: '市图书馆每天开放。昨天我借了一本关于乌龟和鹅的书，作者姓𠮷，是一位有名的女作家。书里还有藏文：ཀཁག。',
    base64:
      'ytDNvMrpud3Dv8zsv6q3xaGj1/LM7M7SvejBy9K7sb652NPaztq56rrNtuy1xMrpo6zX99Xf0NWVNLI1o6zKx9K7zrvT0MP7tcTFrtf3vNKho8rpwO+7udPQ' +
      'stjOxKO6gTLuOIEy7jmBMu8woaM=',
  },
  {
    label: 'big5',
    text: '市立圖書館每天開放。昨天我借了一本關於烏龜和鵝的書，作者是一位有名的女作家。書的最後列出了所有資料的來源，讀者可以自己去查找。',
    base64:
      'paul37nPrtHAXahDpNG2fanxoUOsUaTRp9qtyaRGpEClu8P2qfOvUcB0qU3DWqq6rtGhQadAqsysT6RApuyms6ZXqrqka6dArmGhQ67RqrqzzKvhpkOlWKRG' +
      'qdKms7jqrsaquqjTt72hQcWqqsylaaVIptukdqVorGSn5KFD',
  },
  {
    label: 'shift_jis',
    text: '市立図書館は毎日開いています。昨日、カメとガチョウについての本を借りました。有名な作家が書いたもので、とても面白いです。出典は巻末にあります。',
    base64:
      'jnOXp5B9j5GK2YLNloiT+opKgqKCxIKigtyCt4FCjfCT+oFBg0qDgYLGg0uDYIOHg0WCyYLCgqKCxILMlnuC8I7YguiC3IK1gr2BQpdMlryCyI3sicaCqo+R' +
      'gqKCvYLggsyCxYFBgsaCxILglsqUkoKigsWCt4FCj2+TVILNiqqWloLJgqCC6ILcgreBQg==',
  },
  {
    label: 'euc-jp',
    text: '市立図書館は毎日開いています。昨日、カメとガチョウについての本を借りました。有名な作家が書いたもので、とても面白いです。出典は巻末にあります。',
    base64:
      'u9TOqb/evfG026TPy+jG/LOrpKSkxqSkpN6kuaGjuvLG/KGipaul4aTIpaylwaXnpaaky6TEpKSkxqTOy9yk8rzapOqk3qS3pL+ho82tzL6kyrrussikrL3x' +
      'pKSkv6TipM6kx6GipMikxqTizMzH8qSkpMekuaGjvdDFtaTPtKzL9qTLpKKk6qTepLmhow==',
  },
  {
    label: 'iso-2022-jp',
    text: '市立図書館は毎日開いています。昨日、カメとガチョウについての本を借りました。有名な作家が書いたもので、とても面白いです。出典は巻末にあります。',
    base64:
      'GyRCO1ROKT9ePXE0WyRPS2hGfDMrJCQkRiQkJF4kOSEjOnJGfCEiJSslYSRIJSwlQSVnJSYkSyREJCQkRiROS1wkcjxaJGokXiQ3JD8hI00tTD4kSjpuMkgk' +
      'LD1xJCQkPyRiJE4kRyEiJEgkRiRiTExHciQkJEckOSEjPVBFNSRPNCxLdiRLJCIkaiReJDkhIxsoQg==',
  },
  {
    label: 'euc-kr',
    text: '시립 도서관은 매일 문을 엽니다. 어제 거북이와 거위에 관한 책을 빌렸는데 유명한 작가가 쓴 책입니다. 출처는 책의 끝에 있습니다.',
    base64:
      'vcO4syC1tbytsPzAuiC4xcDPILmuwLsgv7G0z7TZLiC+7sGmILDFus/AzL/NILDFwKe/oSCw/MfRIMOlwLsguvS3yLTCtaUgwK+47cfRIMDbsKGwoSC+tCDD' +
      'pcDUtM+02S4gw+LDs7TCIMOlwMcgs6G/oSDA1r3AtM+02S4=',
  },
  {
    label: 'windows-874',
    text: 'ห้องสมุดเมืองเปิดทุกวัน เมื่อวานฉันยืมหนังสือเกี่ยวกับเต่าและห่าน ซึ่งเขียนโดยนักเขียนหญิงที่มีชื่อเสียง แหล่งที่มาอยู่ท้ายเล่ม “ห่าน” – 5 €…',
    base64:
      'y+nNp8rB2LTgwdfNp+C71LS32KHH0bkg4MHX6M3H0rmp0bnC18HLudGnytfN4KHV6MLHodG64LXo0uHF0Mvo0rkgq9bop+Ci1cK54rTCudGh4KLVwrnLrdSn' +
      't9XowdWq1+jN4MrVwqcg4cvF6Ke31ejB0s3C2ei36dLC4MXowSCTy+jSuZQgliA1IICF',
  },
  {
    label: 'macintosh',
    text: 'Biblioteket på Østerbro er åbent hver dag. I går lånte jeg en bog om skildpadder og gæs, og jeg læste den færdig på én nat. Kilderne står bagest.',
    base64:
      'QmlibGlvdGVrZXQgcIwgr3N0ZXJicm8gZXIgjGJlbnQgaHZlciBkYWcuIEkgZ4xyIGyMbnRlIGplZyBlbiBib2cgb20gc2tpbGRwYWRkZXIgb2cgZ75zLCBv' +
      'ZyBqZWcgbL5zdGUgZGVuIGa+cmRpZyBwjCCObiBuYXQuIEtpbGRlcm5lIHN0jHIgYmFnZXN0Lg==',
  },
  {
    label: 'x-mac-cyrillic',
    text: 'Городская библиотека открыта каждый день. Вчера я взял книгу о черепахах и гусях, которую написала известная писательница. Источники указаны в конце.',
    base64:
      'g+7w7uTx6uDfIOHo4evo7vLl6uAg7vLq8Pvy4CDq4Obk++kg5OXt/C4ggvfl8OAg3yDi59/rIOrt6OPzIO4g9+Xw5e/g9eD1IOgg4/Px3/UsIOru8u7w8/4g' +
      '7eDv6PHg6+Ag6Ofi5fHy7eDfIO/o8eDy5ev87ej24C4giPHy7vft6OroIPPq4Ofg7fsg4iDq7u325S4=',
  },
  {
    label: 'ibm866',
    text: 'Городская библиотека открыта каждый день. Вчера я взял книгу о черепахах и гусях, которую написала известная писательница. Источники указаны в конце.',
    base64:
      'g67grqThqqDvIKGooauoruKlqqAgruKq4OvioCCqoKak66kgpKWt7C4gguel4KAg7yCip++rIKqtqKPjIK4g56Xgpa+g5aDlIKggo+Ph7+UsIKqu4q7g4+4g' +
      'raCvqOGgq6AgqKeipeHiraDvIK+o4aDipavsrajmoC4giOHiruetqKqoIOOqoKegresgoiCqrq3mpS4=',
  },
];
