/**
 * What is wrong between two machines, in English, and on a line of its own the remedy of the side at fault. `{name}`: the
 * other side; `{setting}`: what holds its address; `{trust}`: what names the certificate of an authority.
 */
export const networkTexts = {
  net_private:
    '{name} has only private or local addresses, which are refused{detail}.\nIf the receiver is meant to be there, add its network to allow_networks.',
  net_proxy:
    '{name} could not be reached through the outgoing proxy{detail}.\nCheck HTTPS_PROXY or HTTP_PROXY: address, user and password, and whether the proxy lets us reach that host; or name the host in NO_PROXY.',
  net_no_host: '{name} could not be found{detail}.\nCheck the host name ({setting}), and DNS.',
  net_dns: '{name} could not be looked up{detail}.\nThe DNS did not answer; check the network.',
  net_refused:
    '{name} refused the connection{detail}.\nCheck that it runs, and address and port ({setting}).',
  net_reset: '{name} closed the connection{detail}.\nLook into its log, and that of any proxy in between.',
  net_no_connection:
    '{name} could not be connected to in time{detail}.\nCheck address and port ({setting}), the network and the firewalls in between.',
  net_slow:
    '{name} did not answer in time{detail}.\nLook at its load and its log; if it is only slow, raise timeout where there is such a setting.',
  net_no_way: '{name} could not be reached{detail}.\nCheck the network and the firewall.',
  net_other: '{name} could not be reached{detail}.\nCheck the address ({setting}) and the network.',
  cert_expired:
    '{name} has an expired certificate{detail}.\nTell whoever runs it to renew it. If others can connect, set the clock of this machine.',
  cert_early:
    '{name} has a certificate that is not valid yet{detail}.\nSet the clock of this machine (NTP); if it is right, tell whoever runs it.',
  cert_name:
    '{name} has a certificate for another name{detail}.\nUse a name of the certificate ({setting}), or tell whoever runs it to add the missing one.',
  cert_self_signed:
    '{name} has a self-signed certificate{detail}.\nTell whoever runs it to use one from a known authority, or set {trust} to the file of its certificate.',
  cert_authority:
    '{name} has a certificate from an unknown authority{detail}.\nIf the authority is your own, or that of a firewall which inspects TLS, set {trust} to the file of its certificate.',
  cert_chain:
    '{name} does not send its intermediate certificate{detail}.\nTell whoever runs it to install the full chain; browsers work without it. If the authority is your own, set {trust} to the file of its certificate.',
  cert_revoked: '{name} has a revoked certificate{detail}.\nTell whoever runs it to replace it.',
  cert_weak:
    '{name} has a certificate with a key or signature that is too weak{detail}.\nTell whoever runs it to replace it: 2,048 bits and SHA-256 are the least.',
  tls_client:
    '{name} asks for a client certificate, and we have none{detail}.\nTell whoever runs it to let this client in without one.',
  tls_old:
    '{name} speaks only an outdated version of TLS{detail}.\nTell whoever runs it to switch on TLS 1.2 or 1.3.',
  tls_no_name:
    '{name} has no certificate for this name{detail}.\nCheck the host name ({setting}); if it is right, tell whoever runs it.',
  tls_ciphers:
    '{name} has no encryption in common with us, or asks for a client certificate{detail}.\nTell whoever runs it to switch on TLS 1.2 or 1.3 with usual ciphers.',
  tls_none: '{name} does not speak TLS there{detail}.\nCheck http or https, and the port ({setting}).',
  tls_other:
    '{name} could not agree on a secure connection with us{detail}.\nTell whoever runs it: the log there names the cause.',
  http_over_tls: '{name} speaks TLS there{detail}.\nWrite https, or check the port ({setting}).',
  http_none: '{name} does not speak HTTP there{detail}.\nCheck the port ({setting}), and what listens on it.',
  http_lines:
    '{name} breaks HTTP: its lines end with LF alone{detail}.\nTell whoever runs it: that server, or a proxy before it, has to be corrected.',
  http_length:
    '{name} breaks HTTP: it states the length of its answer twice{detail}.\nTell whoever runs it: that server, or a proxy before it, has to be corrected.',
  http_header:
    '{name} breaks HTTP: a header has a character that is not allowed{detail}.\nTell whoever runs it: that server, or a proxy before it, has to be corrected.',
  http_headers:
    '{name} sends more headers than are read{detail}.\nTell whoever runs it: 16 kB of headers are the most.',
  http_broken:
    '{name} breaks HTTP{detail}.\nTell whoever runs it: that server, or a proxy before it, has to be corrected.',
} as const;
