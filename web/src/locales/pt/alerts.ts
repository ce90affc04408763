import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Alertas',
  hint: 'Saiba quando os dispositivos precisam de você: uma mensagem, não importa quantos sejam.',
  offline: 'Quando dispositivos ficarem offline',
  offlineMinutes: 'Por mais de (minutos)',
  expiring: 'Quando dispositivos estiverem para expirar',
  expiringDays: 'Em até (dias)',
  email: 'E-mail',
  emailHint: 'Deixe vazio para nenhum',
  unconfirmed: 'Digite o código enviado para {{email}}. Os alertas chegarão depois que o endereço for confirmado.',
  confirmTitle: 'Confirmar o endereço de e-mail',
  code: 'Código',
  confirmed: 'Endereço de e-mail confirmado',
  resend: 'Enviar novo código',
  resent: 'Código enviado',
  noMail: 'Esta instalação ainda não tem servidor de e-mail; o administrador pode configurar um.',
  webhook: 'Webhook',
  webhookHint: 'Um endereço seu que recebe o alerta em JSON, assinado com uma chave que aparece aqui depois de salvar',
  secret: 'Chave para verificar a assinatura',
  deliveryFailed: 'A última mensagem não chegou: {{reason}}',
  test: 'Enviar teste',
  tested: 'Teste enviado',
};
