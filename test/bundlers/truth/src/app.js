// The place that the template's page has for what its script draws.
document.body.insertAdjacentHTML('beforeend', '<div id="app"></div>');
