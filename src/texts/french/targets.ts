import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} a répondu {answer}.\n{remedy}',
  target_unproven:
    '{host} a répondu {answer}, mais pas comme {service} : personne n’a été prévenu.\nAutre chose répond à cette adresse, par exemple la page de connexion d’un proxy. Vérifiez l’adresse et le réseau.',
  heartbeat_unproven:
    '{host} a répondu {answer}, ce qui n’est l’accusé d’aucun moniteur.\nVérifiez l’adresse : recopiez-la depuis le moniteur.',
  target_unsure:
    '{host} a pris le message et n’a pas répondu.\nVérifiez s’il est arrivé ; il est renvoyé comme répétition.',
  target_plain:
    '{host} a refusé un message ({answer}) et l’a accepté sous forme simple.\nIl ne donnait que la référence ; la page contient le reste.',
  target_content:
    '{host} a refusé un message ({answer}), même sous forme simple.\nSon contenu est renvoyé plus tard. Vérifiez à quel type de destination sert l’adresse.',
  target_busy: 'La destination reçoit trop de messages. Temporaire : celui-ci est renvoyé tout seul.',
  target_broken: 'La destination est elle-même en panne. Temporaire : le message est renvoyé tout seul.',
  target_redirect: 'Les redirections ne sont pas suivies : indiquez l’adresse vers laquelle elle redirige.',
  target_denied: 'Vérifiez le jeton ou le secret, et le droit d’y écrire.',
  target_not_there: 'L’adresse n’existe pas ou a été révoquée. Recopiez-la ou créez-en une nouvelle.',
  target_refuses: 'Vérifiez à quel type de destination sert l’adresse.',
  slack_archived: 'Le canal est archivé : rétablissez-le ou créez un webhook pour un autre canal.',
  slack_gone: 'Le webhook a été supprimé : créez-en un nouveau dans Slack et copiez son adresse.',
  slack_forbidden: 'L’espace de travail ne le permet pas : adressez-vous à son administrateur.',
  slack_channel: 'Le canal a été supprimé : créez un webhook pour un autre.',
  telegram_chat: 'Vérifiez `chat` : ajoutez le bot au groupe, ou faites écrire la personne au bot une fois.',
  telegram_out: 'Le bot a été bloqué ou retiré : débloquez-le ou ajoutez-le de nouveau.',
  telegram_rights: 'Autorisez le bot à écrire dans ce chat : dans un canal, il doit être administrateur.',
  telegram_token: 'Le jeton est faux ou révoqué : redemandez-le à @BotFather.',
  telegram_topic: 'Le sujet est fermé ou supprimé : corrigez `thread` ou rouvrez le sujet.',
  telegram_moved:
    'Le groupe est devenu un supergroupe ; son nouveau numéro {answer} est utilisé.\nMettez le nouveau numéro dans `chat`.',
  teams_off: 'Le workflow est désactivé ou supprimé : activez-le dans Power Automate.',
  ntfy_quota:
    'La limite quotidienne de ce sujet ou de cette adresse est atteinte : attendez, ou prenez un compte plus grand ou votre propre serveur.',
  mail_refused:
    '{host} a refusé le courriel à l’étape {step} ({answer}).\nVérifiez from et to, et que ce serveur peut envoyer pour vous.',
  mail_later:
    '{host} a différé le courriel à l’étape {step} ({answer}).\nTemporaire : il est renvoyé tout seul.',
  mail_closed:
    '{host} a coupé la connexion à l’étape {step}.\nTemporaire : le courriel est renvoyé tout seul.',
  mail_silent:
    '{host} n’a pas répondu à l’étape {step}.\nLe courriel est renvoyé tout seul. Si cela dure, vérifiez port et chiffrement : 465 est smtps://, 587 est smtp://.',
  mail_no_smtp: '{host} n’y parle pas SMTP.\nVérifiez l’hôte et le port : 465 est smtps://, 587 est smtp://.',
  mail_sign_in: '{host} a refusé la connexion ({answer}).\nVérifiez l’utilisateur et le mot de passe.',
  mail_token:
    '{host} n’a pas donné de jeton de connexion ({answer}).\nReconnectez-vous et mettez en place le nouveau refresh token ; vérifiez client_id et client_secret.',
  mail_basic_off:
    '{host} n’accepte plus les mots de passe des programmes ({answer}).\nUtilisez `oauth` (docs/notifications.md), ou faites autoriser SMTP AUTH pour cette boîte par un administrateur.',
  mail_app_password:
    '{host} demande un mot de passe d’application ({answer}).\nCréez-en un dans le compte Google (Sécurité, Validation en deux étapes, Mots de passe des applications) et utilisez-le.',
  mail_sign_in_needed: '{host} demande une connexion ({answer}).\nRenseignez user et password.',
  mail_relay:
    '{host} ne transmet pas nos courriels à d’autres ({answer}).\nRenseignez user et password, ou autorisez-y le relais pour cette machine.',
  mail_sender:
    '{host} n’accepte pas l’expéditeur ({answer}).\nMettez dans from une adresse que ce compte peut utiliser.',
  mail_hello:
    '{host} n’accepte pas le nom par lequel nous saluons ({answer}).\nMettez dans `hello` un nom d’hôte qu’il accepte.',
  mail_blocked:
    '{host} ne prend pas de courriel de notre adresse Internet ({answer}).\nEnvoyez par le serveur de votre fournisseur, avec user et password.',
  mail_limit:
    'Une limite de ce compte est atteinte chez {host} ({answer}).\nLe courriel est renvoyé tout seul. Si cela dure, demandez au fournisseur une limite plus haute.',
  mail_no_tls:
    '{host} n’offre pas de chiffrement, et le mot de passe n’est jamais envoyé sans lui.\nUtilisez smtps:// ou un autre port.',
  mail_tls: '{host} n’a pas pu passer au chiffrement.\nVérifiez son certificat ou indiquez `ca_file`.',
  mail_recipient: 'Le destinataire {n} sur {all} est refusé ({answer}).\nCorrigez l’adresse sous to.',
  mail_recipient_full:
    'La boîte du destinataire {n} sur {all} est pleine ({answer}).\nSon propriétaire doit faire de la place ; le prochain courriel est de nouveau tenté.',
  mail_recipient_later:
    'Le destinataire {n} sur {all} est différé ({answer}).\nTemporaire : le courriel lui est renvoyé tout seul.',
  mail_open:
    '{host} accepte le courriel non chiffré : d’autres peuvent le lire en chemin.\nMettez `tls: required`, ou connectez-vous avec user.',
  target_told: 'le dernier message est arrivé le {day}',
  target_idle:
    'rien n’était à envoyer depuis le {day} ; rien ne montre donc que cela marche encore\nEssayez : clinic-sync notify test {name}.',
  target_never: 'aucun message n’est encore arrivé\nEssayez : clinic-sync notify test {name}.',
  target_owed: 'dû depuis {since}, pas encore transmis : {number}',
};
