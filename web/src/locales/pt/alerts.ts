import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Alertas',
  offline: 'Dispositivos offline',
  offlineMinutes: 'Por mais de (minutos)',
  expiring: 'Dispositivos prestes a vencer',
  expiringDays: 'Em até (dias)',
  watched: 'Dispositivos',
  watchAll: 'Todos os dispositivos',
  groupDeleted: 'Grupo excluído',
  groupDeletedHint:
    'O grupo foi excluído junto com a conta à qual pertencia. Nenhum alerta será enviado até que você escolha outros dispositivos.',
  email: 'E-mail',
  emailHint: 'Deixe em branco para desativar os e-mails',
  unconfirmed: 'Digite o código enviado para {{email}}. Os alertas chegarão depois que o endereço for confirmado.',
  confirmTitle: 'Confirmar o endereço de e-mail',
  code: 'Código',
  confirmed: 'Endereço de e-mail confirmado',
  resend: 'Enviar novo código',
  resent: 'Código enviado',
  noMail: 'Nenhum servidor de e-mail está configurado. Peça ao administrador que configure um.',
  webhook: 'Webhook',
  webhookHint:
    'Os alertas são enviados para esta URL como JSON assinado. A chave de assinatura aparece aqui depois de salvar.',
  secret: 'Chave de assinatura',
  deliveryFailed: 'Não foi possível entregar o último alerta: {{reason}}',
  test: 'Enviar alerta de teste',
  tested: 'Alerta de teste enviado',
};
