import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Войти',
  loginTitle: 'С возвращением',
  tagline: 'Все экраны города – в ваших руках.',
  username: 'Имя пользователя',
  password: 'Пароль',
  confirmPassword: 'Повторите пароль',
  captcha: 'Проверочный код',
  captchaPicture: 'Проверочный код на картинке',
  captchaAnother: 'Нажмите, чтобы сменить',
  registerByCode: 'Регистрация по коду приглашения',
  selfRegister: 'Создать учётную запись',
  haveAccount: 'Уже есть учётная запись? Войти',
  registerTitle: 'Регистрация пользователя',
  register: 'Регистрация',
  invitationCode: 'Код приглашения',
  checkCode: 'Проверить код',
  checkingCode: 'Проверяем код приглашения…',
  invitedBy: 'Приглашение от {{username}}',
  noCode: 'Нет кода? Зарегистрируйтесь без него',
  usernameHint: 'От 4 до 20 букв и цифр',
  passwordHint: 'Не менее 8 символов',
  selfRegisterClosed: 'Самостоятельная регистрация закрыта. Попросите код приглашения у своего дилера.',
  logoutDone: 'Вы вышли из системы',
  loggingOut: 'Выходим…',
};
