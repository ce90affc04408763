import type { alerts as en } from '../en/alerts.ts';
import type { Texts } from '../texts.ts';

export const alerts: Texts<typeof en> = {
  title: 'Avisos',
  offline: 'Dispositivos sin conexión',
  offlineMinutes: 'Más de (minutos)',
  expiring: 'Dispositivos a punto de caducar',
  expiringDays: 'En los próximos (días)',
  watched: 'Dispositivos',
  watchAll: 'Todos los dispositivos',
  groupDeleted: 'Grupo eliminado',
  groupDeletedHint:
    'El grupo se eliminó junto con la cuenta a la que pertenecía. No se enviarán avisos hasta que elijas otros dispositivos.',
  email: 'Correo electrónico',
  emailHint: 'Déjalo vacío para desactivar los correos',
  unconfirmed: 'Introduce el código enviado a {{email}}. Los avisos se envían allí una vez confirmada la dirección.',
  confirmTitle: 'Confirmar la dirección de correo',
  code: 'Código',
  confirmed: 'Dirección de correo confirmada',
  resend: 'Enviar un código nuevo',
  resent: 'Código enviado',
  noMail: 'No hay ningún servidor de correo configurado. Pide a tu administrador que configure uno.',
  webhook: 'Webhook',
  webhookHint: 'Los avisos se envían a esta URL como JSON firmado. La clave de firma aparece aquí después de guardar.',
  secret: 'Clave de firma',
  deliveryFailed: 'No se pudo entregar el último aviso: {{reason}}',
  test: 'Enviar aviso de prueba',
  tested: 'Aviso de prueba enviado',
};
