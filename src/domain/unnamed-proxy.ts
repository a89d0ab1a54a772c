/** Shown when `X-Forwarded-…` comes from a proxy that is not configured. */
export const unnamedProxy = {
  sentence:
    'A reverse proxy forwards requests, but http.trust_proxy does not name it: ' +
    'all visitors count as one address and share its limits.',
  action: 'Set http.trust_proxy to 1, or to the proxy’s network, and restart.',
};
