// What the pages do with script: colours, sections, search, chunks shown in
// place, files beside the text, lines that belong together, where one was.
(function () {
  'use strict';
  var doc = document;
  var body = doc.body;
  var up = body.dataset.up || '';
  var framed = doc.documentElement.classList.contains('framed');
  var page = location.pathname.split('/').pop() || 'index.html';
  var ladder = window.ladder = {};

  function all(selector, from) { return Array.from((from || doc).querySelectorAll(selector)); }
  function one(selector, from) { return (from || doc).querySelector(selector); }
  function make(tag, properties, text) {
    var el = doc.createElement(tag);
    Object.keys(properties || {}).forEach(function (name) { el.setAttribute(name, properties[name]); });
    if (text !== undefined) el.textContent = text;
    return el;
  }
  function recall(name) {
    try { return localStorage.getItem('ladder-' + name); } catch (error) { return null; }
  }
  function keep(name, value) {
    try {
      if (value === null) localStorage.removeItem('ladder-' + name);
      else localStorage.setItem('ladder-' + name, value);
    } catch (error) { /* the browser keeps nothing */ }
  }
  function load(file, failed) {
    var script = make('script', { src: up + file });
    script.onerror = failed;
    doc.head.append(script);
  }

  // The switch of colours.
  function themes(tools) {
    var select = make('select', { 'aria-label': 'Colours' });
    [['', 'System'], ['light', 'Light'], ['dark', 'Dark']].forEach(function (pair) {
      select.append(make('option', { value: pair[0] }, pair[1]));
    });
    select.value = recall('theme') || '';
    select.addEventListener('change', function () {
      keep('theme', select.value || null);
      if (select.value) doc.documentElement.dataset.theme = select.value;
      else delete doc.documentElement.dataset.theme;
    });
    tools.append(select);
  }

  // Search: a dialog with a field and a list of what fits.
  var kinds = { s: 'Section', c: 'Chunk', i: 'Identifier', t: 'Term' };
  var rank = { s: 0, t: 1, i: 2, c: 3 };
  var index = null;
  ladder.found = function (pages, entries) {
    index = entries.map(function (e) {
      return { kind: e[0], text: e[1], low: e[1].toLowerCase(), href: pages[e[2]] + '#' + e[3], where: e[4] };
    });
    if (ladder.refresh) ladder.refresh();
  };

  // The smaller the better; -1 does not fit.
  function score(entry, words, whole) {
    if (!words.every(function (word) { return entry.low.includes(word); })) return -1;
    var at = entry.low.indexOf(whole);
    var base = entry.low === whole ? 0 : at === 0 ? 10 : at > 0 && /\W|_/.test(entry.low[at - 1]) ? 20 : at > 0 ? 30 : 40;
    return base + rank[entry.kind] + entry.low.length / 100;
  }

  function lookup(text) {
    var whole = text.trim().toLowerCase();
    if (!whole) return [];
    var words = whole.split(/\s+/);
    return index.map(function (entry) { return [score(entry, words, whole), entry]; })
      .filter(function (pair) { return pair[0] >= 0; })
      .sort(function (a, b) { return a[0] - b[0]; })
      .map(function (pair) { return pair[1]; });
  }

  function search(tools) {
    var button = make('button', { type: 'button', 'aria-haspopup': 'dialog' }, 'Search');
    button.append(make('kbd', { 'aria-hidden': 'true' }, '/'));
    tools.append(button);
    var dialog = make('dialog', { 'aria-label': 'Search the book' });
    var bar = make('div', { class: 'find' });
    var input = make('input', {
      type: 'text', role: 'combobox', 'aria-label': 'Search sections, chunks, identifiers and terms',
      'aria-controls': 'results', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
      autocomplete: 'off', spellcheck: 'false'
    });
    var close = make('button', { type: 'button' }, 'Close');
    var list = make('ul', { class: 'results', id: 'results', role: 'listbox', 'aria-label': 'Results' });
    var said = make('p', { class: 'said', role: 'status' });
    bar.append(input, close);
    dialog.append(bar, list, said);
    body.append(dialog);
    var at = -1;

    function choose(n) {
      var options = all('[role=option]', list);
      at = options.length ? (n + options.length) % options.length : -1;
      options.forEach(function (option, i) { option.setAttribute('aria-selected', String(i === at)); });
      if (at < 0) { input.removeAttribute('aria-activedescendant'); return; }
      input.setAttribute('aria-activedescendant', options[at].id);
      options[at].scrollIntoView({ block: 'nearest' });
    }
    function go(option) {
      if (!option) return;
      dialog.close();
      location.href = up + option.dataset.href;
    }
    ladder.refresh = function () {
      if (!index) return;
      var results = lookup(input.value);
      list.replaceChildren.apply(list, results.slice(0, 40).map(function (entry, i) {
        var option = make('li', { role: 'option', id: 'result-' + i, 'aria-selected': 'false', 'data-href': entry.href });
        option.append(make('span', {}, kinds[entry.kind]), make('b', {}, entry.text), make('small', {}, entry.where));
        option.addEventListener('click', function () { go(option); });
        return option;
      }));
      list.hidden = !results.length;
      input.setAttribute('aria-expanded', String(results.length > 0));
      said.textContent = !input.value.trim() ? 'Type a few letters. Arrow keys choose, Enter goes there.' :
        results.length > 40 ? 'The first 40 of ' + results.length + '.' :
          results.length === 1 ? 'One result.' : results.length ? results.length + ' results.' : 'Nothing has these letters.';
      choose(0);
    };
    function open() {
      if (dialog.open) return;
      dialog.showModal();
      input.focus();
      input.select();
      list.hidden = !index;
      if (index) ladder.refresh();
      else load('search-data.js', function () { said.textContent = 'The data of the search could not be loaded.'; });
    }
    input.addEventListener('input', ladder.refresh);
    input.addEventListener('keydown', function (event) {
      var step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) { event.preventDefault(); choose(at + step); }
      if (event.key === 'Enter') { event.preventDefault(); go(all('[role=option]', list)[at]); }
    });
    close.addEventListener('click', function () { dialog.close(); });
    dialog.addEventListener('click', function (event) { if (event.target === dialog) dialog.close(); });
    button.addEventListener('click', open);
    doc.addEventListener('keydown', function (event) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      event.preventDefault();
      open();
    });
  }

  // The list of sections: a button on small screens, a mark on large ones.
  function sections() {
    var nav = one('.toc');
    if (!nav) return;
    var button = make('button', { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'toc-list' }, one('.what', nav).textContent);
    one('ul', nav).id = 'toc-list';
    nav.prepend(button);
    button.addEventListener('click', function () {
      button.setAttribute('aria-expanded', String(nav.classList.toggle('open')));
    });
    nav.addEventListener('click', function (event) {
      if (!event.target.closest('a')) return;
      nav.classList.remove('open');
      button.setAttribute('aria-expanded', 'false');
    });
  }

  // Which heading is the reader at?
  function heading() {
    var found = null;
    all('main h1, main h2[id], main h3[id]').some(function (el) {
      if (el.getBoundingClientRect().top > 140) return true;
      found = el;
      return false;
    });
    return found;
  }
  function words(el) {
    return Array.from(el.childNodes).filter(function (node) {
      return !(node.classList && node.classList.contains('p'));
    }).map(function (node) { return node.textContent; }).join('').trim();
  }
  function mark() {
    var at = heading();
    var id = at && (at.tagName === 'H3' ? section(at) : at.id);
    all('.toc a').forEach(function (link) {
      if (id && link.getAttribute('href') === '#' + id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
    return at;
  }
  function section(at) {
    var list = all('main h2[id], main h3[id]');
    for (var i = list.indexOf(at); i >= 0; i--) if (list[i].tagName === 'H2') return list[i].id;
    return '';
  }

  // Where the reader was: kept for the contents page and for this one.
  function places() {
    var known = {};
    try { known = JSON.parse(recall('places') || '{}'); } catch (error) { known = {}; }
    var here = known[page];
    var waiting = false;
    if (body.classList.contains('contents')) {
      var last = known[''];
      var line = one('.again');
      if (!last || !line || !/^[\w.-]+(#[\w.-]*)?$/.test(last.href)) return;
      line.append('You were reading ', make('a', { href: last.href }, last.text), '.');
      line.hidden = false;
      return;
    }
    if (here && here.id && !location.hash && one('#' + CSS.escape(here.id))) resume(here);
    function note() {
      waiting = false;
      var at = mark();
      if (!at || !body.classList.contains('chapter')) return;
      var deep = at.tagName !== 'H1' && at.id;
      if (deep) known[page] = { id: at.id, text: words(at) };
      known[''] = { href: page + (deep ? '#' + at.id : ''), text: body.dataset.place + (deep ? ', ' + words(at) : '') };
      keep('places', JSON.stringify(known));
    }
    addEventListener('scroll', function () {
      if (!waiting) { waiting = true; setTimeout(note, 200); }
    }, { passive: true });
    note();
  }
  function resume(here) {
    var line = make('p', { class: 'resume' });
    var close = make('button', { type: 'button', 'aria-label': 'Hide this' }, '×');
    line.append('Continue at ', make('a', { href: '#' + here.id }, here.text), close);
    close.addEventListener('click', function () { line.remove(); });
    line.addEventListener('click', function (event) { if (event.target.tagName === 'A') line.remove(); });
    one('main').append(line);
  }

  // Chunks shown in place. Those of another part of a chapter are loaded.
  var store = {};
  var waiting = {};
  ladder.chunks = function (stem, chunks) {
    store[stem] = chunks;
    (waiting[stem] || []).forEach(function (then) { then(); });
    waiting[stem] = [];
  };
  // The code of a chunk, all pieces, as nodes without ids; then(nodes).
  function pieces(link, then) {
    var id = link.getAttribute('href').split('#')[1];
    var list = [];
    while (id) {
      var anchor = doc.getElementById(id);
      var chunk = anchor && anchor.closest('.chunk');
      if (!chunk) break;
      var code = one('pre > code', chunk).cloneNode(true);
      all('.grown, .plus', code).forEach(function (el) { el.remove(); });
      code.normalize();
      list.push(code);
      var next = one('.cap .next', chunk);
      id = next && next.getAttribute('href').split('#')[1];
    }
    if (!id) { then(list); return; }
    var stem = body.dataset.chapter;
    function take() {
      for (var at = id; at; at = store[stem][at] && store[stem][at][0]) {
        if (!store[stem][at]) break;
        // The data are this book's own, made with the page.
        var parsed = new DOMParser().parseFromString('<pre><code>' + store[stem][at][1] + '</code></pre>', 'text/html');
        list.push(doc.importNode(one('code', parsed), true));
      }
      then(list);
    }
    if (store[stem]) { take(); return; }
    (waiting[stem] = waiting[stem] || []).push(take);
    if (waiting[stem].length === 1) load(stem + '.js', function () { waiting[stem] = []; });
  }

  // How far a reference is indented: the blanks before its button.
  function indent(button) {
    var before = button.previousSibling;
    var line = before && before.nodeType === 3 ? before.data.split('\n').pop() : '';
    return line.length - line.trimStart().length;
  }

  function grow(link, button, then) {
    pieces(link, function (list) {
      if (!list.length || button.getAttribute('aria-expanded') === 'true') return;
      var box = make('span', { class: 'grown' });
      box.style.marginLeft = indent(button) + 'ch';
      list.forEach(function (code, i) {
        if (i) box.append('\n');
        box.append.apply(box, Array.from(code.childNodes));
      });
      all('[id]', box).forEach(function (el) { el.removeAttribute('id'); });
      var after = link.nextSibling;
      var end = after.data.indexOf('\n');
      if (end >= 0) after.splitText(end + 1);
      after.after(box);
      button.setAttribute('aria-expanded', 'true');
      button.textContent = '−';
      buttons(box);
      if (then) then(box);
    });
  }
  function box_of(link) {
    var el = link.nextElementSibling;
    return el && el.classList.contains('grown') ? el : null;
  }
  function shrink(link, button) {
    var box = box_of(link);
    if (box) box.remove();
    button.setAttribute('aria-expanded', 'false');
    button.textContent = '+';
  }
  function buttons(from) {
    all('.r', from).forEach(function (link) {
      if (link.previousElementSibling && link.previousElementSibling.classList.contains('plus')) return;
      var button = make('button', { type: 'button', class: 'plus', 'aria-expanded': 'false', 'aria-label': 'Show here: ' + link.textContent }, '+');
      var bracket = link.previousSibling;
      bracket.data = bracket.data.slice(0, -1);
      link.before(button, '⟨');
      button.addEventListener('click', function () {
        if (button.getAttribute('aria-expanded') === 'true') shrink(link, button);
        else grow(link, button);
      });
    });
  }
  function grow_all(from, depth) {
    all('.r', from).forEach(function (link) {
      var button = link.previousElementSibling;
      if (depth > 8 || button.getAttribute('aria-expanded') === 'true') return;
      grow(link, button, function (box) { grow_all(box, depth + 1); });
    });
  }
  function outlines() {
    all('.chunk.root').forEach(function (chunk) {
      var code = one('pre', chunk);
      if (!one('.r', code)) return;
      var button = make('button', { type: 'button', class: 'all', 'aria-expanded': 'false' }, 'expand all');
      one('.cap', chunk).insertBefore(button, one('.cap .w', chunk));
      button.addEventListener('click', function () {
        var open = button.getAttribute('aria-expanded') === 'true';
        if (open) all('.plus', code).forEach(function (plus) {
          if (plus.isConnected && plus.getAttribute('aria-expanded') === 'true') shrink(plus.nextElementSibling, plus);
        });
        else grow_all(code, 0);
        button.setAttribute('aria-expanded', String(!open));
        button.textContent = open ? 'expand all' : 'collapse all';
      });
    });
  }

  // Files beside the text.
  var panel = null;
  var opener = null;
  function shut() {
    if (!panel) return;
    panel.remove();
    panel = null;
    if (opener) opener.focus();
  }
  function beside(link) {
    if (panel) panel.remove();
    opener = link;
    var href = link.getAttribute('href');
    var name = href.replace(/^files\//, '').replace(/\.html.*$/, '').replace('-', '/');
    panel = make('section', { class: 'panel', role: 'dialog', 'aria-label': 'The file ' + name });
    var line = make('p');
    var close = make('button', { type: 'button' }, 'Close');
    line.append(make('a', { href: href }, 'Open as a page'), close);
    panel.append(line, make('iframe', { src: href + (link.dataset.to ? '-' + link.dataset.to : ''), title: name }));
    close.addEventListener('click', shut);
    body.append(panel);
    close.focus();
  }
  function files() {
    doc.addEventListener('click', function (event) {
      var link = event.target.closest && event.target.closest('a.w');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      beside(link);
    });
    doc.addEventListener('keydown', function (event) {
      if (event.key === 'Escape' && !one('dialog[open]')) shut();
    });
  }
  function range() {
    var match = /^#L(\d+)-(\d+)$/.exec(location.hash);
    all('.whole .lit').forEach(function (el) { el.classList.remove('lit'); });
    if (!match) return;
    for (var n = +match[1]; n <= +match[2]; n++) {
      var line = doc.getElementById('L' + n);
      if (line) line.classList.add('lit');
    }
    var first = doc.getElementById('L' + match[1]);
    if (first) first.scrollIntoView({ block: +match[2] - match[1] > 20 ? 'start' : 'center' });
  }

  // Side by side: what comes from one source line lights up together.
  function together() {
    all('.side').forEach(function (side) {
      var rows = all('.row', side);
      var by = {};
      rows.forEach(function (row) {
        row.dataset.l.split(' ').forEach(function (line) { (by[line] = by[line] || []).push(row); });
      });
      var held = null;
      function light(row) {
        rows.forEach(function (el) { el.classList.remove('lit'); });
        if (row) row.dataset.l.split(' ').forEach(function (line) {
          by[line].forEach(function (el) { el.classList.add('lit'); });
        });
      }
      function row_of(event) { return event.target.closest && event.target.closest('.row'); }
      side.addEventListener('mouseover', function (event) { light(row_of(event) || held); });
      side.addEventListener('mouseleave', function () { light(held); });
      side.addEventListener('focusin', function (event) { held = row_of(event); light(held); });
      side.addEventListener('focusout', function () { held = null; light(null); });
    });
  }

  // Only what scrolls needs to be a stop for the keyboard.
  function stops() {
    var boxes = all('pre[tabindex], .table[tabindex], .draw[tabindex]');
    function check() {
      var scrolls = boxes.map(function (el) { return el.scrollWidth > el.clientWidth + 1; });
      boxes.forEach(function (el, i) {
        if (scrolls[i]) el.tabIndex = 0;
        else el.removeAttribute('tabindex');
      });
    }
    check();
    var timer = 0;
    addEventListener('resize', function () { clearTimeout(timer); timer = setTimeout(check, 200); });
  }

  if (body.classList.contains('whole')) {
    range();
    addEventListener('hashchange', range);
  }
  if (!framed) {
    var tools = one('.tools');
    search(tools);
    themes(tools);
    sections();
    buttons(doc);
    outlines();
    files();
    together();
    places();
  }
  stops();
})();
