from django.http import HttpResponse


def practice(request):
    return HttpResponse()


def puzzle(request, id):
    return HttpResponse()
