/** Titles of boxes in a text: notes, warnings, examples. From the languages of Docutils, Sphinx, DocBook and Asciidoctor. */

const TITLES = [
  'note|notes|warning|warnings|tip|tips|important|caution|danger|hint|attention|error|info|information|example|examples|see also|todo|to do|remark|remarks|summary|abstract|definition|exercise|question|deprecated|bug|success|quote|failure',
  'hinweis|hinweise|anmerkung|anmerkungen|bemerkung|notiz|warnung|achtung|vorsicht|gefahr|tipp|wichtig|fehler|beispiel|beispiele|siehe auch|zu tun|zusammenfassung|frage|übung|veraltet',
  'remarque|remarques|avertissement|attention|prudence|danger|astuce|conseil|indication|important|erreur|exemple|exemples|voir aussi|à faire|résumé|obsolète|à savoir|à noter',
  'nota|notas|advertencia|aviso|consejo|sugerencia|importante|precaución|peligro|atención|error|ejemplo|ejemplos|ver también|véase también|por hacer|pendiente|resumen|observación|obsoleto',
  'nota|note|avvertenza|avvertimento|attenzione|suggerimento|consiglio|importante|cautela|pericolo|errore|esempio|esempi|vedi anche|vedere anche|da fare|sommario|osservazione|deprecato',
  'nota|notas|aviso|advertência|dica|importante|cuidado|perigo|atenção|erro|exemplo|exemplos|ver também|veja também|a fazer|resumo|observação|obsoleto',
  'opmerking|let op|waarschuwing|tip|belangrijk|voorzichtig|gevaar|hint|attentie|fout|voorbeeld|voorbeelden|zie ook|te doen|samenvatting',
  'uwaga|uwagi|ostrzeżenie|wskazówka|podpowiedź|ważne|ostrożnie|niebezpieczeństwo|zagrożenie|błąd|przykład|przykłady|zobacz też|zobacz także|do zrobienia|podsumowanie|notatka|informacja',
  'poznámka|varování|upozornění|tip|rada|důležité|pozor|nebezpečí|chyba|příklad|příklady|viz také|viz též|poznámky|výstraha|dôležité|príklad|pozri aj|varovanie|nebezpečenstvo',
  'obs|anmärkning|notera|varning|tips|viktigt|försiktighet|fara|observera|fel|exempel|se även|att göra|bemærk|advarsel|vigtigt|forsigtig|fare|tip|eksempel|se også|merk|viktig|forsiktig|merknad',
  'huomautus|huomaa|varoitus|vinkki|vihje|tärkeää|varo|vaara|virhe|esimerkki|katso myös|megjegyzés|figyelem|figyelmeztetés|tipp|fontos|vigyázat|veszély|hiba|példa|lásd még',
  'notă|observație|avertisment|avertizare|sfat|sugestie|important|atenție|pericol|eroare|exemplu|vezi și|not|uyarı|ipucu|önemli|dikkat|tehlike|hata|örnek|ayrıca bakınız|bkz',
  'примечание|примечания|предупреждение|совет|подсказка|важно|внимание|осторожно|опасность|опасно|ошибка|пример|примеры|см. также|смотрите также|сделать|замечание|заметка|' +
    'примітка|попередження|порада|підказка|важливо|увага|обережно|небезпека|помилка|приклад|див. також|забележка|предупреждение|съвет|опасност|грешка|вижте също',
  'σημείωση|προειδοποίηση|συμβουλή|υπόδειξη|σημαντικό|προσοχή|κίνδυνος|σφάλμα|παράδειγμα|δείτε επίσης|bilješka|napomena|upozorenje|savjet|važno|oprez|opasnost|pogreška|primjer|vidi također|nota|avís|consell|perill|exemple|vegeu també',
  '注意|注釈|注記|メモ|補足|警告|ヒント|重要|危険|エラー|例|参考|関連項目|備考|要確認|注|备注|说明|提示|小技巧|小贴士|技巧|警示|危险|错误|示例|例子|另请参阅|参见|参考|待办|备忘|' +
    '備註|說明|小訣竅|提醒|危險|錯誤|範例|也參考|另請參閱|參考|참고|노트|경고|팁|힌트|중요|주의|위험|오류|에러|예|예제|더 보기|더 알아보기|관련 항목|요약',
  'ملاحظة|تحذير|تنبيه|نصيحة|تلميح|مهم|خطر|خطأ|مثال|انظر أيضا|انظر أيضًا|نکته|هشدار|توجه|مهم|خطر|خطا|مثال|همچنین ببینید|הערה|אזהרה|עצה|רמז|חשוב|זהירות|סכנה|שגיאה|דוגמה|ראו גם',
  'ghi chú|lưu ý|cảnh báo|mẹo|gợi ý|quan trọng|chú ý|nguy hiểm|lỗi|ví dụ|xem thêm|catatan|peringatan|petunjuk|penting|perhatian|bahaya|galat|contoh|lihat juga|टिप्पणी|नोट|चेतावनी|सुझाव|महत्वपूर्ण|सावधान|ध्यान दें|उदाहरण|यह भी देखें',
];

const KNOWN: ReadonlySet<string> = new Set(TITLES.flatMap((list) => list.split('|')));
/** Longer lines are sentences. */
const MAX_CHARS = 30;

/** Is a line the title of a box: `Note`, `⚠ Warning:`, `Example 2`? */
export function isBoxTitle(line: string): boolean {
  return line.length <= MAX_CHARS && KNOWN.has(inLetters(line).toLowerCase());
}

/** Signs before a title; its number, and signs after it. */
const AROUND = /^[^\p{L}]+|[^\p{L}\p{M}]+$/gu;

/** A line from its first letter to its last. Most lines are ASCII, and take a tenth of the time of the expression. */
function inLetters(line: string): string {
  let first = -1;
  let last = -1;
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i);
    if (code > 127) return line.replace(AROUND, '');
    if (((code | 32) - 97) >>> 0 >= 26) continue;
    if (first < 0) first = i;
    last = i;
  }
  return first < 0 ? '' : line.slice(first, last + 1);
}
