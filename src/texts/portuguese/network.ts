import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} só tem endereços privados ou locais, que são recusados{detail}.\nSe o recetor deve estar aí, acrescente a sua rede a allow_networks.',
  net_proxy:
    'Não foi possível chegar a {name} pelo proxy de saída{detail}.\nVerifique HTTPS_PROXY ou HTTP_PROXY: endereço, utilizador, palavra-passe e se o proxy deixa passar para esse host; ou indique o host em NO_PROXY.',
  net_no_host: '{name} não foi encontrado{detail}.\nVerifique o nome do host ({setting}) e o DNS.',
  net_dns: 'Não foi possível resolver {name}{detail}.\nO DNS não respondeu; verifique a rede.',
  net_refused:
    '{name} recusou a ligação{detail}.\nVerifique se está a funcionar, e o endereço e a porta ({setting}).',
  net_reset: '{name} fechou a ligação{detail}.\nVeja o registo dele e o de um eventual proxy intermédio.',
  net_no_connection:
    'A ligação a {name} não se estabeleceu a tempo{detail}.\nVerifique o endereço e a porta ({setting}), a rede e as firewalls intermédias.',
  net_slow:
    '{name} não respondeu a tempo{detail}.\nVeja a carga e o registo dele; se for apenas lento, aumente timeout onde essa definição exista.',
  net_no_way: 'Não foi possível chegar a {name}{detail}.\nVerifique a rede e a firewall.',
  net_other: 'Não foi possível chegar a {name}{detail}.\nVerifique o endereço ({setting}) e a rede.',
  cert_expired:
    '{name} tem um certificado expirado{detail}.\nPeça a quem o gere que o renove. Se outros conseguem ligar-se, acerte o relógio desta máquina.',
  cert_early:
    '{name} tem um certificado que ainda não é válido{detail}.\nAcerte o relógio desta máquina (NTP); se estiver certo, avise quem o gere.',
  cert_name:
    '{name} tem um certificado para outro nome{detail}.\nUse um nome do certificado ({setting}), ou peça a quem o gere que acrescente o que falta.',
  cert_self_signed:
    '{name} tem um certificado autoassinado{detail}.\nPeça a quem o gere que use um de uma autoridade conhecida, ou indique em {trust} o ficheiro desse certificado.',
  cert_authority:
    '{name} tem um certificado de uma autoridade desconhecida{detail}.\nSe a autoridade é sua, ou de uma firewall que inspeciona TLS, indique em {trust} o ficheiro do certificado dela.',
  cert_chain:
    '{name} não envia o seu certificado intermédio{detail}.\nPeça a quem o gere que instale a cadeia completa; os navegadores funcionam sem ela. Se a autoridade é sua, indique em {trust} o ficheiro do certificado dela.',
  cert_revoked: '{name} tem um certificado revogado{detail}.\nPeça a quem o gere que o substitua.',
  cert_weak:
    '{name} tem um certificado com uma chave ou assinatura demasiado fraca{detail}.\nPeça a quem o gere que o substitua: 2048 bits e SHA-256 são o mínimo.',
  tls_client:
    '{name} pede um certificado de cliente, e não temos nenhum{detail}.\nPeça a quem o gere que admita este cliente sem ele.',
  tls_old:
    '{name} só fala uma versão ultrapassada de TLS{detail}.\nPeça a quem o gere que ative TLS 1.2 ou 1.3.',
  tls_no_name:
    '{name} não tem certificado para este nome{detail}.\nVerifique o nome do host ({setting}); se estiver certo, avise quem o gere.',
  tls_ciphers:
    '{name} não tem nenhuma cifra em comum connosco, ou pede um certificado de cliente{detail}.\nPeça a quem o gere que ative TLS 1.2 ou 1.3 com as cifras habituais.',
  tls_none: '{name} não fala TLS ali{detail}.\nVerifique http ou https, e a porta ({setting}).',
  tls_other:
    '{name} não conseguiu acordar uma ligação segura connosco{detail}.\nAvise quem o gere: o registo dele indica a causa.',
  http_over_tls: '{name} fala TLS ali{detail}.\nEscreva https, ou verifique a porta ({setting}).',
  http_none: '{name} não fala HTTP ali{detail}.\nVerifique a porta ({setting}) e o que lá escuta.',
  http_lines:
    '{name} viola o HTTP: as suas linhas terminam só com LF{detail}.\nAvise quem o gere: esse servidor, ou um proxy à frente dele, tem de ser corrigido.',
  http_length:
    '{name} viola o HTTP: indica duas vezes o tamanho da resposta{detail}.\nAvise quem o gere: esse servidor, ou um proxy à frente dele, tem de ser corrigido.',
  http_header:
    '{name} viola o HTTP: um cabeçalho tem um carácter não permitido{detail}.\nAvise quem o gere: esse servidor, ou um proxy à frente dele, tem de ser corrigido.',
  http_headers:
    '{name} envia mais cabeçalhos do que os que são lidos{detail}.\nAvise quem o gere: 16 kB de cabeçalhos são o máximo.',
  http_broken:
    '{name} viola o HTTP{detail}.\nAvise quem o gere: esse servidor, ou um proxy à frente dele, tem de ser corrigido.',
};
