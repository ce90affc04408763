import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Avisos',
  hint: 'Entérese cuando los equipos le necesiten: un solo mensaje, sean los que sean.',
  offline: 'Cuando haya equipos sin conexión',
  offlineMinutes: 'Más de (minutos)',
  expiring: 'Cuando haya equipos a punto de caducar',
  expiringDays: 'En los próximos (días)',
  email: 'Correo electrónico',
  emailHint: 'Déjelo vacío si no quiere',
  unconfirmed: 'Introduzca el código enviado a {{email}}. Los avisos llegarán cuando la dirección esté confirmada.',
  confirmTitle: 'Confirmar la dirección de correo',
  code: 'Código',
  confirmed: 'Dirección de correo confirmada',
  resend: 'Enviar un código nuevo',
  resent: 'Código enviado',
  noMail: 'Esta instalación aún no tiene servidor de correo; su administrador puede configurarlo.',
  webhook: 'Webhook',
  webhookHint: 'Una dirección suya que recibe el aviso como JSON, firmado con una clave que aparece aquí al guardar',
  secret: 'Clave para comprobar la firma',
  deliveryFailed: 'El último mensaje no llegó: {{reason}}',
  test: 'Enviar una prueba',
  tested: 'Prueba enviada',
};
