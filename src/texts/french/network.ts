import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} n’a que des adresses privées ou locales, qui sont refusées{detail}.\nSi le destinataire doit bien s’y trouver, ajoutez son réseau à allow_networks.',
  net_proxy:
    '{name} est injoignable par le proxy sortant{detail}.\nVérifiez HTTPS_PROXY ou HTTP_PROXY : adresse, utilisateur, mot de passe, et si le proxy laisse passer vers cet hôte ; ou nommez l’hôte dans NO_PROXY.',
  net_no_host: '{name} est introuvable{detail}.\nVérifiez le nom d’hôte ({setting}) et le DNS.',
  net_dns: '{name} n’a pas pu être résolu{detail}.\nLe DNS n’a pas répondu ; vérifiez le réseau.',
  net_refused:
    '{name} a refusé la connexion{detail}.\nVérifiez que le service tourne, ainsi que l’adresse et le port ({setting}).',
  net_reset:
    '{name} a fermé la connexion{detail}.\nConsultez son journal et celui d’un éventuel proxy intermédiaire.',
  net_no_connection:
    'La connexion à {name} n’a pas abouti à temps{detail}.\nVérifiez l’adresse et le port ({setting}), le réseau et les pare-feu intermédiaires.',
  net_slow:
    '{name} n’a pas répondu à temps{detail}.\nRegardez sa charge et son journal ; s’il est seulement lent, augmentez timeout là où ce réglage existe.',
  net_no_way: '{name} est injoignable{detail}.\nVérifiez le réseau et le pare-feu.',
  net_other: '{name} est injoignable{detail}.\nVérifiez l’adresse ({setting}) et le réseau.',
  cert_expired:
    '{name} a un certificat expiré{detail}.\nDemandez à son exploitant de le renouveler. Si d’autres se connectent, réglez l’horloge de cette machine.',
  cert_early:
    '{name} a un certificat qui n’est pas encore valable{detail}.\nRéglez l’horloge de cette machine (NTP) ; si elle est juste, prévenez l’exploitant.',
  cert_name:
    '{name} a un certificat établi pour un autre nom{detail}.\nUtilisez un nom du certificat ({setting}), ou demandez à l’exploitant d’ajouter celui qui manque.',
  cert_self_signed:
    '{name} a un certificat autosigné{detail}.\nDemandez à l’exploitant d’en utiliser un d’une autorité connue, ou indiquez dans {trust} le fichier de ce certificat.',
  cert_authority:
    '{name} a un certificat d’une autorité inconnue{detail}.\nSi l’autorité est la vôtre, ou celle d’un pare-feu qui inspecte TLS, indiquez dans {trust} le fichier de son certificat.',
  cert_chain:
    '{name} n’envoie pas son certificat intermédiaire{detail}.\nDemandez à l’exploitant d’installer la chaîne complète ; les navigateurs s’en passent. Si l’autorité est la vôtre, indiquez dans {trust} le fichier de son certificat.',
  cert_revoked: '{name} a un certificat révoqué{detail}.\nDemandez à l’exploitant de le remplacer.',
  cert_weak:
    '{name} a un certificat dont la clé ou la signature est trop faible{detail}.\nDemandez à l’exploitant de le remplacer : 2048 bits et SHA-256 sont le minimum.',
  tls_client:
    '{name} exige un certificat client, et nous n’en avons pas{detail}.\nDemandez à l’exploitant d’admettre ce client sans certificat.',
  tls_old:
    '{name} ne parle qu’une version dépassée de TLS{detail}.\nDemandez à l’exploitant d’activer TLS 1.2 ou 1.3.',
  tls_no_name:
    '{name} n’a pas de certificat pour ce nom{detail}.\nVérifiez le nom d’hôte ({setting}) ; s’il est juste, prévenez l’exploitant.',
  tls_ciphers:
    '{name} n’a aucun chiffrement en commun avec nous, ou exige un certificat client{detail}.\nDemandez à l’exploitant d’activer TLS 1.2 ou 1.3 avec les chiffrements usuels.',
  tls_none: '{name} ne parle pas TLS à cet endroit{detail}.\nVérifiez http ou https, et le port ({setting}).',
  tls_other:
    '{name} n’a pas pu établir de connexion sûre avec nous{detail}.\nPrévenez l’exploitant : son journal donne la cause.',
  http_over_tls: '{name} parle TLS à cet endroit{detail}.\nÉcrivez https, ou vérifiez le port ({setting}).',
  http_none:
    '{name} ne parle pas HTTP à cet endroit{detail}.\nVérifiez le port ({setting}) et ce qui y écoute.',
  http_lines:
    '{name} enfreint HTTP : ses lignes se terminent par LF seul{detail}.\nPrévenez l’exploitant : ce serveur, ou un proxy placé devant, doit être corrigé.',
  http_length:
    '{name} enfreint HTTP : la longueur de la réponse est donnée deux fois{detail}.\nPrévenez l’exploitant : ce serveur, ou un proxy placé devant, doit être corrigé.',
  http_header:
    '{name} enfreint HTTP : un en-tête contient un caractère interdit{detail}.\nPrévenez l’exploitant : ce serveur, ou un proxy placé devant, doit être corrigé.',
  http_headers:
    '{name} envoie plus d’en-têtes qu’il n’en est lu{detail}.\nPrévenez l’exploitant : 16 ko d’en-têtes sont le maximum.',
  http_broken:
    '{name} enfreint HTTP{detail}.\nPrévenez l’exploitant : ce serveur, ou un proxy placé devant, doit être corrigé.',
};
