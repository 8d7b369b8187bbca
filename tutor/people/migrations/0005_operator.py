from django.apps import apps
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0004_login_codes'),
    ]

    # The admin's own first migration asks for the first of this app, which has no accounts yet.
    run_before = [('admin', '0001_initial')] if apps.is_installed('django.contrib.admin') else []

    operations = [
        migrations.AddField(
            model_name='account',
            name='is_operator',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterModelOptions(
            name='account',
            options={'verbose_name': 'account', 'verbose_name_plural': 'accounts'},
        ),
        migrations.AlterModelOptions(
            name='brake',
            options={'verbose_name': 'wrong tries', 'verbose_name_plural': 'wrong tries'},
        ),
    ]
