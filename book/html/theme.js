// Before anything is drawn: the reader's colours, and that there is script.
(function () {
  'use strict';
  var root = document.documentElement;
  function colours() {
    var theme = null;
    try { theme = localStorage.getItem('ladder-theme'); } catch (error) { /* none */ }
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  }
  colours();
  root.classList.add('js');
  if (window.self !== window.top) root.classList.add('framed');
  window.addEventListener('storage', colours);
})();
