import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} respondeu {answer}.\n{remedy}',
  target_unproven:
    '{host} respondeu {answer}, mas não como {service}: ninguém foi avisado.\nAlgo diferente responde ali, como a página de acesso de um proxy. Verifique o endereço e a rede.',
  heartbeat_unproven:
    '{host} respondeu {answer}, o que não é recibo de nenhum monitor.\nVerifique o endereço: copie-o de novo do monitor.',
  target_unsure:
    '{host} recebeu a mensagem e não respondeu.\nVerifique se chegou; é enviada outra vez, como repetição.',
  target_plain:
    '{host} não aceitou uma mensagem ({answer}), mas aceitou-a em forma simples.\nA mensagem só indicava a referência; o resto está na página.',
  target_content:
    '{host} não aceitou uma mensagem ({answer}), nem em forma simples.\nO conteúdo é enviado de novo mais tarde. Verifique para que tipo de destino é o endereço.',
  target_busy: 'O destino recebe mensagens a mais. Temporário: esta é enviada de novo sozinha.',
  target_broken: 'O próprio destino tem um problema. Temporário: a mensagem é enviada de novo sozinha.',
  target_redirect: 'Os redirecionamentos não são seguidos: indique o endereço para onde redireciona.',
  target_denied: 'Verifique o token ou o segredo, e se ali se pode escrever.',
  target_not_there: 'O endereço não existe ou foi revogado. Copie-o de novo ou crie outro.',
  target_refuses: 'Verifique para que tipo de destino é o endereço.',
  slack_archived: 'O canal está arquivado: restaure-o ou crie um webhook para outro canal.',
  slack_gone: 'O webhook foi removido: crie outro no Slack e copie o endereço.',
  slack_forbidden: 'O espaço de trabalho não o permite: fale com o administrador.',
  slack_channel: 'O canal foi eliminado: crie um webhook para outro.',
  telegram_chat: 'Verifique `chat`: junte o bot ao grupo, ou peça à pessoa que escreva uma vez ao bot.',
  telegram_out: 'O bot foi bloqueado ou removido: desbloqueie-o ou junte-o de novo.',
  telegram_rights: 'Deixe o bot escrever nesta conversa: num canal tem de ser administrador.',
  telegram_token: 'O token está errado ou foi revogado: peça-o de novo ao @BotFather.',
  telegram_topic: 'O tópico está fechado ou eliminado: corrija `thread` ou reabra o tópico.',
  telegram_moved:
    'O grupo passou a supergrupo; é usado o seu novo número {answer}.\nPonha o novo número em `chat`.',
  teams_off: 'O fluxo está desligado ou eliminado: ligue-o no Power Automate.',
  ntfy_quota:
    'O limite diário deste tópico ou endereço esgotou-se: espere, ou use uma conta maior ou um servidor próprio.',
  mail_refused:
    '{host} recusou o e-mail em {step} ({answer}).\nVerifique from e to, e se este servidor pode enviar por si.',
  mail_later: '{host} adiou o e-mail em {step} ({answer}).\nTemporário: é enviado de novo sozinho.',
  mail_closed: '{host} fechou a ligação em {step}.\nTemporário: o e-mail é enviado de novo sozinho.',
  mail_silent:
    '{host} não respondeu em {step}.\nO e-mail é enviado de novo sozinho. Se continuar, verifique porta e cifra: 465 é smtps://, 587 é smtp://.',
  mail_no_smtp: '{host} não fala SMTP ali.\nVerifique host e porta: 465 é smtps://, 587 é smtp://.',
  mail_sign_in: '{host} recusou o início de sessão ({answer}).\nVerifique o utilizador e a palavra-passe.',
  mail_token:
    '{host} não deu um token para iniciar sessão ({answer}).\nInicie sessão de novo e guarde o novo refresh token; verifique client_id e client_secret.',
  mail_basic_off:
    '{host} já não aceita palavras-passe de programas ({answer}).\nUse `oauth` (docs/notifications.md), ou peça a um administrador que permita SMTP AUTH para esta caixa.',
  mail_app_password:
    '{host} pede uma palavra-passe de aplicação ({answer}).\nCrie uma na conta Google (Segurança, Validação em dois passos, Palavras-passe de apps) e use-a como palavra-passe.',
  mail_sign_in_needed: '{host} pede início de sessão ({answer}).\nIndique user e password.',
  mail_relay:
    '{host} não encaminha o nosso e-mail para outros ({answer}).\nIndique user e password, ou permita ali o encaminhamento para esta máquina.',
  mail_sender:
    '{host} não aceita o remetente ({answer}).\nPonha em from um endereço que esta conta possa usar.',
  mail_hello:
    '{host} não aceita o nome com que nos apresentamos ({answer}).\nPonha em `hello` um nome de máquina que aceite.',
  mail_blocked:
    '{host} não aceita e-mail do nosso endereço de Internet ({answer}).\nEnvie pelo servidor do seu fornecedor, com user e password.',
  mail_limit:
    'Em {host} foi atingido um limite desta conta ({answer}).\nO e-mail é enviado de novo sozinho. Se continuar, peça ao fornecedor um limite maior.',
  mail_no_tls:
    '{host} não oferece cifra, e sem ela a palavra-passe nunca é enviada.\nUse smtps:// ou outra porta.',
  mail_tls: '{host} não conseguiu passar à cifra.\nVerifique o certificado ou indique `ca_file`.',
  mail_recipient: 'O destinatário {n} de {all} é recusado ({answer}).\nCorrija o endereço em to.',
  mail_recipient_full:
    'A caixa do destinatário {n} de {all} está cheia ({answer}).\nO dono tem de arranjar espaço; o próximo e-mail é tentado de novo.',
  mail_recipient_later:
    'O destinatário {n} de {all} foi adiado ({answer}).\nTemporário: o e-mail é-lhe enviado de novo sozinho.',
  mail_open:
    '{host} aceita e-mail sem cifra: outros podem lê-lo pelo caminho.\nPonha `tls: required`, ou inicie sessão com user.',
  target_told: 'a última mensagem chegou em {day}',
  target_idle:
    'desde {day} não houve nada a enviar, por isso nada mostra que ainda funciona\nExperimente: clinic-sync notify test {name}.',
  target_never: 'ainda não chegou nenhuma mensagem\nExperimente: clinic-sync notify test {name}.',
  target_owed: 'pendente desde {since}, ainda por comunicar: {number}',
};
